/// The scripts that change windows, each atomic in Redis. `docs/decisions/0001-window-state-machine.md` proves them.
///
/// All take the state key first and the fence as first argument, so that a command of an abandoned connection that
/// still waits in a socket is refused. Entries have the post id as member and the negated position as score, so that
/// the newest has rank 0 and Redis finds its position at the head. Of two positions of one post the smaller stays
/// (`GT`). The member `0` with score 0 ranks last and means "complete to the beginning". Posts are passed as pairs of
/// position and id.
enum WindowScripts {
    private static let fence = """
        local call = redis.call
        local state = call('HMGET', KEYS[1], 'fence', 'floor')
        if state[1] ~= ARGV[1] or not state[2] then return redis.error_reply('FENCED the fence has moved on') end

        """

    /// The position of a window's last entry: its floor.
    private static let last = """
        local function lastOf(key)
            local entry = call('ZRANGE', key, -1, -1, 'WITHSCORES')
            return entry[2] and -tonumber(entry[2])
        end

        """

    /// Adds the flat list `entries[from...to]` of scores and members to a window whose floor may be above some of them.
    /// The window ignores entries below its floor. A post that stands above its new position is removed, since that
    /// position is below the floor.
    private static let addLate = """
        local function addLate(key, entries, from, to)
            local lowest = lastOf(key)
            for j = from, to, 2 do
                local position = -tonumber(entries[j])
                if position > lowest then
                    call('ZADD', key, 'GT', entries[j], entries[j + 1])
                elseif position < lowest then
                    call('ZREM', key, entries[j + 1])
                end
            end
        end

        """

    /// Trims a window past its limit, and records its new floor.
    private static let trim = """
        local cap, limit, floor = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(state[2])
        local raised = floor
        local function trim(key)
            call('ZREMRANGEBYRANK', key, cap, -1)
            local lowest = lastOf(key)
            if lowest > raised then raised = lowest end
        end
        local function keepFloor()
            if raised > floor then call('HSET', KEYS[1], 'floor', string.format('%.0f', raised)) end
        end

        """

    /// Adds posts to the windows that exist, and trims those past their limit.
    ///
    /// `raised` is the highest floor to which any window of the generation was ever trimmed, including by this call,
    /// since a window may occur twice. An entry above it is above the floor of every window and is simply added. A late
    /// one is compared with each window's last entry. Posts are ordered oldest first.
    ///
    ///     KEYS state window…   ARGV fence cap limit (position post)…   → entries for windows that exist
    static let push =
        fence + last + addLate + trim + """
            local touched, entries = 0, {}
            for j = 4, #ARGV, 2 do
                entries[#entries + 1] = '-' .. ARGV[j]
                entries[#entries + 1] = ARGV[j + 1]
            end
            local oldest = tonumber(ARGV[4])
            for i = 2, #KEYS do
                local key = KEYS[i]
                local count = call('ZCARD', key)
                if count > 0 then
                    touched = touched + 1
                    if oldest <= raised then
                        addLate(key, entries, 1, #entries)
                    else
                        call('ZADD', key, 'GT', unpack(entries))
                    end
                    if count >= limit then trim(key) end
                end
            end
            keepFloor()
            return touched * (#entries / 2)
            """

    /// Adds to each window the posts selected by `layout`: for each key a byte with the number of its groups, and two
    /// bytes with the index of each group, from 1. Posts of a group are ordered oldest first.
    ///
    ///     KEYS state window…   ARGV fence cap limit layout groups size… (position post)…
    ///     → entries for windows that exist
    static let pushEach =
        fence + last + addLate + trim + """
            local byte, layout, groups = string.byte, ARGV[4], tonumber(ARGV[5])
            local entries, first, oldest, source = {}, {}, {}, 6 + groups
            for group = 1, groups do
                first[group] = #entries + 1
                oldest[group] = tonumber(ARGV[source])
                for _ = 1, tonumber(ARGV[5 + group]) do
                    entries[#entries + 1] = '-' .. ARGV[source]
                    entries[#entries + 1] = ARGV[source + 1]
                    source = source + 2
                end
            end
            first[groups + 1] = #entries + 1
            local touched, at = 0, 1
            for i = 2, #KEYS do
                local key, named = KEYS[i], byte(layout, at)
                local count = call('ZCARD', key)
                if count > 0 then
                    local wanted, size, isLate = entries, 0, false
                    local from, to
                    if named == 1 then
                        local high, low = byte(layout, at + 1, at + 2)
                        local group = high * 256 + low
                        from, to, isLate = first[group], first[group + 1] - 1, oldest[group] <= raised
                    else
                        wanted = {}
                        for place = at + 1, at + 2 * named, 2 do
                            local high, low = byte(layout, place, place + 1)
                            local group = high * 256 + low
                            isLate = isLate or oldest[group] <= raised
                            for j = first[group], first[group + 1] - 1 do
                                size = size + 1
                                wanted[size] = entries[j]
                            end
                        end
                        from, to = 1, size
                    end
                    touched = touched + (to - from + 1) / 2
                    if isLate then
                        addLate(key, wanted, from, to)
                    else
                        call('ZADD', key, 'GT', unpack(wanted, from, to))
                    end
                    if count >= limit then trim(key) end
                end
                at = at + 1 + 2 * named
            end
            keepFloor()
            return touched
            """

    /// Removes posts from windows.
    ///
    ///     KEYS state window…   ARGV fence post…   → entries removed
    static let remove =
        fence + """
            local removed, posts = 0, {}
            for j = 2, #ARGV do posts[#posts + 1] = ARGV[j] end
            for i = 2, #KEYS do removed = removed + call('ZREM', KEYS[i], unpack(posts)) end
            return removed
            """

    /// Removes a post from windows that hold it at one position, and finds the windows that do not hold it at an
    /// earlier position: those from which it was removed, now or by an earlier attempt, and those with the position
    /// below their floor.
    ///
    ///     KEYS state window…   ARGV fence position post   → indices of those windows, from 0
    static let retract =
        fence + """
            local position, found = tonumber(ARGV[2]), {}
            for i = 2, #KEYS do
                if call('EXISTS', KEYS[i]) == 1 then
                    local score = call('ZSCORE', KEYS[i], ARGV[3])
                    local stands = score and -tonumber(score)
                    if stands == position then call('ZREM', KEYS[i], ARGV[3]) end
                    if not stands or stands >= position then found[#found + 1] = i - 2 end
                end
            end
            return found
            """

    /// Creates building windows. They receive pushes under their own names and are not read.
    ///
    ///     KEYS state (build window)…   ARGV fence seconds replacing(0|1)
    ///     → for each 1, or 0 if there is no window to replace
    static let begin =
        fence + """
            local begun = {}
            for i = 2, #KEYS, 2 do
                if ARGV[3] == '1' and call('EXISTS', KEYS[i + 1]) == 0 then
                    begun[i / 2] = 0
                else
                    call('UNLINK', KEYS[i])
                    call('ZADD', KEYS[i], 0, '0')
                    call('EXPIRE', KEYS[i], ARGV[2])
                    begun[i / 2] = 1
                end
            end
            return begun
            """

    /// Replaces a building window with a dumped one (``WindowDump``), if it has received no push since it began, hence
    /// holds only the sentinel. If Redis rejects the dump, its posts can still be added.
    ///
    ///     KEYS state build window   ARGV fence floor milliseconds dump
    ///     → 1, 0 if the build is gone, 2 if its posts are needed
    static let restore =
        fence + """
            local build = KEYS[2]
            local held = call('ZCARD', build)
            if held == 0 then return 0 end
            if held > 1 or not call('ZSCORE', build, '0') then return 2 end
            if redis.pcall('RESTORE', KEYS[3], ARGV[3], ARGV[4], 'REPLACE').err then return 2 end
            if tonumber(ARGV[2]) > tonumber(state[2]) then call('HSET', KEYS[1], 'floor', ARGV[2]) end
            call('UNLINK', build)
            return 1
            """

    /// Completes a building window with the posts read from SQLite and makes it the ready one. If the posts were cut
    /// off at the cap, nothing is known below the last one, so late entries there are removed. Scores and posts are
    /// ordered oldest first.
    ///
    ///     KEYS state build window   ARGV fence cap limit complete(0|1) seconds (score post)…
    ///     → 1, or 0 if the build is gone
    static let flip =
        fence + last + """
            local build, cap, limit = KEYS[2], tonumber(ARGV[2]), tonumber(ARGV[3])
            if call('EXISTS', build) == 0 then return 0 end
            local lowest = lastOf(build)
            for from = 6, #ARGV, 64 do
                local entries = {}
                for j = from, math.min(from + 63, #ARGV), 2 do
                    local position = -tonumber(ARGV[j])
                    if position > lowest then
                        entries[#entries + 1] = ARGV[j]
                        entries[#entries + 1] = ARGV[j + 1]
                    elseif position < lowest then
                        call('ZREM', build, ARGV[j + 1])
                    end
                end
                if #entries > 0 then
                    call('ZADD', build, 'GT', unpack(entries))
                    if call('ZCARD', build) >= limit then
                        call('ZREMRANGEBYRANK', build, cap, -1)
                        lowest = lastOf(build)
                    end
                end
            end
            if ARGV[4] == '0' then call('ZREMRANGEBYSCORE', build, '(' .. ARGV[6], '+inf') end
            call('ZREMRANGEBYRANK', build, cap, -1)
            lowest = lastOf(build)
            if not lowest then return 0 end
            if lowest > tonumber(state[2]) then call('HSET', KEYS[1], 'floor', string.format('%.0f', lowest)) end
            call('EXPIRE', build, ARGV[5])
            call('RENAME', build, KEYS[3])
            return 1
            """

    /// Ends the generation. Without its state nothing changes its windows any more, and the next handshake begins
    /// another.
    ///
    ///     KEYS state   ARGV fence   → 1
    static let end =
        fence + """
            return call('UNLINK', KEYS[1])
            """

    /// Evicts windows.
    ///
    ///     KEYS state window…   ARGV fence   → windows evicted
    static let evict =
        fence + """
            local evicted = 0
            for i = 2, #KEYS do evicted = evicted + call('UNLINK', KEYS[i]) end
            return evicted
            """
}
