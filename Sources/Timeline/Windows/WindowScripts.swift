/// What changes windows, each atomic in Redis. `docs/decisions/0001-window-state-machine.md` proves them.
///
/// All take the state key first and the fence as first argument: a command of a connection that was given up, still
/// waiting in a socket, is refused. Entries have the post id as member and minus the position as score, so that the
/// newest has rank 0 and Redis finds its place at the head; of two positions of one post the smaller stays (`GT`). The
/// member `0` of score 0 ranks last and says "complete to the beginning". Posts come as pairs of position and id,
/// newest first.
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

    /// Adds posts to the windows that exist, and trims those past their limit.
    ///
    /// `floor` is the highest floor that any window of the generation was ever trimmed to. An entry above it is above
    /// the floor of every window and is just added; a late one is compared with each window's last entry, as below a
    /// floor the window must stay silent: a post that stands higher is taken out, as its place is below now.
    ///
    ///     KEYS state window…   ARGV fence cap limit (position post)…   → windows that exist
    static let push =
        fence + last + """
            local cap, limit, floor = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(state[2])
            local raised, touched, entries = floor, 0, {}
            for j = 4, #ARGV, 2 do
                entries[#entries + 1] = '-' .. ARGV[j]
                entries[#entries + 1] = ARGV[j + 1]
            end
            local late = tonumber(ARGV[#ARGV - 1]) <= floor
            for i = 2, #KEYS do
                local key = KEYS[i]
                local count = call('ZCARD', key)
                if count > 0 then
                    touched = touched + 1
                    if late then
                        local lowest = lastOf(key)
                        for j = 4, #ARGV, 2 do
                            if tonumber(ARGV[j]) > lowest then
                                call('ZADD', key, 'GT', '-' .. ARGV[j], ARGV[j + 1])
                            elseif tonumber(ARGV[j]) < lowest then
                                call('ZREM', key, ARGV[j + 1])
                            end
                        end
                    else
                        call('ZADD', key, 'GT', unpack(entries))
                    end
                    if count >= limit then
                        call('ZREMRANGEBYRANK', key, cap, -1)
                        local lowest = lastOf(key)
                        if lowest > raised then raised = lowest end
                    end
                end
            end
            if raised > floor then call('HSET', KEYS[1], 'floor', string.format('%.0f', raised)) end
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

    /// Creates a building window: it receives pushes under its own name and is not read.
    ///
    ///     KEYS state build window   ARGV fence seconds replacing(0|1)   → 1, or 0 if there is no window to replace
    static let begin =
        fence + """
            if ARGV[3] == '1' and call('EXISTS', KEYS[3]) == 0 then return 0 end
            call('UNLINK', KEYS[2])
            call('ZADD', KEYS[2], 0, '0')
            call('EXPIRE', KEYS[2], ARGV[2])
            return 1
            """

    /// Completes a building window with the posts read from SQLite and makes it the ready one. Of posts that were cut
    /// off at the cap, nobody knows what lies below the last: whatever came late stands there alone, and goes.
    ///
    ///     KEYS state build window   ARGV fence cap limit complete(0|1) seconds (position post)…
    ///     → 1, or 0 if the build is gone
    static let flip =
        fence + last + """
            local build, cap, limit = KEYS[2], tonumber(ARGV[2]), tonumber(ARGV[3])
            if call('EXISTS', build) == 0 then return 0 end
            local lowest = lastOf(build)
            for from = 6, #ARGV, 64 do
                local entries = {}
                for j = from, math.min(from + 63, #ARGV), 2 do
                    if tonumber(ARGV[j]) > lowest then
                        entries[#entries + 1] = '-' .. ARGV[j]
                        entries[#entries + 1] = ARGV[j + 1]
                    elseif tonumber(ARGV[j]) < lowest then
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
            if ARGV[4] == '0' then call('ZREMRANGEBYSCORE', build, '(-' .. ARGV[#ARGV - 1], '+inf') end
            call('ZREMRANGEBYRANK', build, cap, -1)
            lowest = lastOf(build)
            if not lowest then return 0 end
            if lowest > tonumber(state[2]) then call('HSET', KEYS[1], 'floor', string.format('%.0f', lowest)) end
            call('EXPIRE', build, ARGV[5])
            call('RENAME', build, KEYS[3])
            return 1
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
