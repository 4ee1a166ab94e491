/// What changes windows, each atomic in Redis. `docs/decisions/0001-window-state-machine.md` proves them.
///
/// All take the state key first and the fence as first argument: a command of a connection that was given up, still
/// waiting in a socket, is refused. Entries have the post id as member and minus the position as score, so that the
/// newest has rank 0 and Redis finds its place at the head; of two positions of one post the smaller stays (`GT`). The
/// member `0` of score 0 ranks last and says "complete to the beginning". Posts come as pairs of position and id.
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

    /// Takes the flat list `entries[from...to]` of scores and members into a window that may have a higher floor than
    /// some of them: below it the window stays silent, and a post that stands higher is taken out, as its place is
    /// below now.
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

    /// Trims a window past its limit, and notes the floor that this gives it.
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
    /// `raised` is the highest floor that any window of the generation was ever trimmed to, by this call too: a window
    /// may come twice. An entry above it is above the floor of every window and is just added; a late one is compared
    /// with each window's last entry. Posts come oldest first.
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

    /// Adds to each window the posts that `layout` names: for each key a byte that says of how many groups, and two for
    /// the number of each, from 1. Posts of a group come oldest first.
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

    /// Takes posts out of windows.
    ///
    ///     KEYS state window…   ARGV fence post…   → entries removed
    static let remove =
        fence + """
            local removed, posts = 0, {}
            for j = 2, #ARGV do posts[#posts + 1] = ARGV[j] end
            for i = 2, #KEYS do removed = removed + call('ZREM', KEYS[i], unpack(posts)) end
            return removed
            """

    /// Takes a post out of windows where it stands at one position, and finds those in which it does not stand before
    /// that position: where it was taken out, now or by an earlier try, and where the position lay below the floor.
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

    /// Creates building windows: they receive pushes under their own names and are not read.
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

    /// Puts a window that was dumped (``WindowDump``) in the place of a building window that got no push since it
    /// began, hence holds the sentinel alone. Whatever Redis has against the dump, its posts can still be added.
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

    /// Completes a building window with the posts read from SQLite and makes it the ready one. Of posts that were cut
    /// off at the cap, nobody knows what lies below the last: whatever came late stands there alone, and goes. Scores
    /// and posts come oldest first.
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

    /// Ends the generation: without its state nothing changes its windows any more, and the next handshake begins
    /// another.
    ///
    ///     KEYS state   ARGV fence   → 1
    static let end =
        fence + """
            return call('UNLINK', KEYS[1])
            """

    /// Drops windows.
    ///
    ///     KEYS state window…   ARGV fence   → windows dropped
    static let drop =
        fence + """
            local dropped = 0
            for i = 2, #KEYS do dropped = dropped + call('UNLINK', KEYS[i]) end
            return dropped
            """
}
