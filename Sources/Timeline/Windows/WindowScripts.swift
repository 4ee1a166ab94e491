/// What changes windows, each atomic in Redis. `docs/decisions/0001-window-state-machine.md` proves them.
///
/// All take the state key first and the fence as first argument: a command of a connection that was given up, still
/// waiting in a socket, is refused. Entries have the post id as member and minus the id as score, so that the newest
/// has rank 0 and Redis finds its place at the head; the member `0` of score 0 ranks last and says "complete to the
/// beginning".
enum WindowScripts {
    private static let fence = """
        local call = redis.call
        local state = call('HMGET', KEYS[1], 'fence', 'floor')
        if state[1] ~= ARGV[1] or not state[2] then return redis.error_reply('FENCED the fence has moved on') end

        """

    /// Adds posts (newest first) to the windows that exist, and trims those past their limit.
    ///
    /// `floor` is the highest floor that any window of the generation was ever trimmed to. A post above it is above
    /// the floor of every window and is just added; a late one is compared with each window's last entry, as below a
    /// floor the window must stay silent.
    ///
    ///     KEYS state window…   ARGV fence cap limit post…   → windows that exist
    static let push =
        fence + """
            local cap, limit, floor = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(state[2])
            local raised, touched, entries = floor, 0, {}
            for j = 4, #ARGV do
                entries[#entries + 1] = '-' .. ARGV[j]
                entries[#entries + 1] = ARGV[j]
            end
            local late = tonumber(ARGV[#ARGV]) <= floor
            for i = 2, #KEYS do
                local key = KEYS[i]
                local count = call('ZCARD', key)
                if count > 0 then
                    touched = touched + 1
                    if late then
                        local last = tonumber(call('ZRANGE', key, -1, -1)[1])
                        for j = 4, #ARGV do
                            if tonumber(ARGV[j]) > last then call('ZADD', key, '-' .. ARGV[j], ARGV[j]) end
                        end
                    else
                        call('ZADD', key, unpack(entries))
                    end
                    if count >= limit then
                        call('ZREMRANGEBYRANK', key, cap, -1)
                        local last = tonumber(call('ZRANGE', key, -1, -1)[1])
                        if last > raised then raised = last end
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

    /// Raises the floor of windows: nothing below it is kept, and they do not reach the beginning.
    ///
    ///     KEYS state window…   ARGV fence floor   → windows that are left
    static let raise =
        fence + """
            local left = 0
            for i = 2, #KEYS do
                call('ZREMRANGEBYSCORE', KEYS[i], '(-' .. ARGV[2], '+inf')
                left = left + call('EXISTS', KEYS[i])
            end
            if tonumber(ARGV[2]) > tonumber(state[2]) then call('HSET', KEYS[1], 'floor', ARGV[2]) end
            return left
            """

    /// Creates a building window: it receives pushes under its own name and is not read.
    ///
    ///     KEYS state build   ARGV fence seconds
    static let begin =
        fence + """
            call('UNLINK', KEYS[2])
            call('ZADD', KEYS[2], 0, '0')
            call('EXPIRE', KEYS[2], ARGV[2])
            return 1
            """

    /// Completes a building window with the posts read from SQLite (newest first) and makes it the ready one.
    ///
    ///     KEYS state build window   ARGV fence cap limit complete(0|1) post…   → 1, or 0 if the build is gone
    static let flip =
        fence + """
            local build, cap, limit = KEYS[2], tonumber(ARGV[2]), tonumber(ARGV[3])
            if call('EXISTS', build) == 0 then return 0 end
            local last = tonumber(call('ZRANGE', build, -1, -1)[1])
            for from = 5, #ARGV, 32 do
                local entries = {}
                for j = from, math.min(from + 31, #ARGV) do
                    if tonumber(ARGV[j]) > last then
                        entries[#entries + 1] = '-' .. ARGV[j]
                        entries[#entries + 1] = ARGV[j]
                    end
                end
                if #entries > 0 then
                    call('ZADD', build, unpack(entries))
                    if call('ZCARD', build) >= limit then
                        call('ZREMRANGEBYRANK', build, cap, -1)
                        last = tonumber(call('ZRANGE', build, -1, -1)[1])
                    end
                end
            end
            if ARGV[4] == '0' then call('ZREM', build, '0') end
            call('ZREMRANGEBYRANK', build, cap, -1)
            last = call('ZRANGE', build, -1, -1)[1]
            if not last then return 0 end
            if tonumber(last) > tonumber(state[2]) then call('HSET', KEYS[1], 'floor', last) end
            call('PERSIST', build)
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
