/// The scripts that change windows, each atomic in Redis. `docs/decisions/0001-window-state-machine.md` proves them.
///
/// All take the state key first and the fence as first argument, so that a command of an abandoned connection that
/// still waits in a socket is refused. A window is a sorted set and a tail (``WindowTail``). In the sorted set an entry
/// has the post id as member and the negated position as score, so that the newest has rank 0. The member `0` with
/// score 0 ranks last and means "complete to the beginning". A building window is a tail alone.
enum WindowScripts {
    private static let fence = """
        local call = redis.call
        local state = call('HMGET', KEYS[1], 'fence', 'stamp')
        if state[1] ~= ARGV[1] or not state[2] then return redis.error_reply('FENCED the fence has moved on') end

        """

    /// A stamp that no window of the generation has had: one for all windows that a call changes.
    private static let restamp = """
        local fresh
        local function stamp()
            fresh = fresh or struct.pack('>I8', call('HINCRBY', KEYS[1], 'stamp', 1))
            return fresh
        end

        """

    /// Appends `words`, with as many `posts`, to the tail `KEYS[i]` or `ARGV[i]`, if there is one. If there is none,
    /// `APPEND` has made a key without a stamp, which is removed. Where many windows are absent, looking first is
    /// cheaper. Calling a function would take a twelfth of a push.
    ///
    /// Windows that get the same posts would all be full at once. The length at which a tail is full therefore depends
    /// on the last digits of the reader's id: it is `limit` or up to 60 times `spread` more. `first` is the index of
    /// window 0.
    private static func append(to keys: String, first: String) -> String {
        """

        local key = \(keys)[i]
        if absent * 3 > i and call('STRLEN', key) == 0 then
            absent = absent + 1
        else
            local length = call('APPEND', key, words)
            if length == #words then
                call('DEL', key)
                absent = absent + 1
            else
                touched = touched + posts
                if length >= limit then
                    local a, b, c = byte(key, -3, -1)
                    if length >= limit + (a * 100 + b * 10 + c) % 61 * spread then
                        full[#full + 1] = length < limit * 2 and i - \(first) or \(first) - 1 - i
                    end
                end
            end
        end

        """
    }

    /// Sets `words` and `posts` to those of the groups that `layout` names for a window: a byte with their number, and
    /// two bytes with the index of each, from 1. The first group is at argument `first`.
    private static func select(first: Int) -> String {
        """

        local named = byte(layout, place)
        if named == 1 then
            local high, low = byte(layout, place + 1, place + 2)
            local group = (high * 256 + low) * 2 + \(first - 2)
            words, posts = ARGV[group], ARGV[group + 1]
        else
            local parts = {}
            posts = 0
            for place = place + 1, place + 2 * named, 2 do
                local high, low = byte(layout, place, place + 1)
                local group = (high * 256 + low) * 2 + \(first - 2)
                parts[#parts + 1] = ARGV[group]
                posts = posts + ARGV[group + 1]
            end
            words = table.concat(parts)
        end
        place = place + 1 + 2 * named

        """
    }

    /// Visits the windows of a call: pairs of sorted set and tail, then tails of building windows. `visit` gets the
    /// number of the window, from 0, its tail, and its sorted set, which is nil for a building window.
    private static let windows = """
        local pairs = tonumber(ARGV[2])
        local function each(visit)
            for i = 0, pairs - 1 do visit(i, KEYS[i * 2 + 3], KEYS[i * 2 + 2]) end
            for i = pairs * 2 + 2, #KEYS do visit(i - pairs - 2, KEYS[i]) end
        end

        """

    /// The words of a tail without the entries that `isUnwanted` names, and the number of those.
    private static let filter = """
        local byte, sub = string.byte, string.sub
        local function without(tail, isUnwanted)
            local kept, from, at, removed = {}, 9, 9, 0
            while at <= #tail do
                local size = byte(tail, at) >= 128 and 16 or 8
                if isUnwanted(sub(tail, at, at + size - 1)) then
                    kept[#kept + 1] = sub(tail, from, at - 1)
                    from = at + size
                    removed = removed + 1
                end
                at = at + size
            end
            kept[#kept + 1] = sub(tail, from)
            return table.concat(kept), removed
        end

        """

    /// Writes a whole sorted set: a dump (``WindowDump``), or pairs of score and member, up to the argument `last`.
    /// Returns false if Redis rejects the dump. A lifetime of 0 is endless.
    private static let write = """
        local function write(key, milliseconds, at, last)
            if ARGV[at] == 'dump' then
                return not redis.pcall('RESTORE', key, milliseconds, ARGV[at + 1], 'REPLACE').err
            end
            call('UNLINK', key)
            for from = at + 1, last, 64 do
                call('ZADD', key, unpack(ARGV, from, math.min(from + 63, last)))
            end
            if milliseconds > 0 then call('PEXPIRE', key, milliseconds) end
            return true
        end

        """

    /// Adds posts to the windows that exist.
    ///
    ///     KEYS state tail…   ARGV fence limit words posts
    ///     → entries for windows that exist, then the indices of the tails that are full, from 0; -1 less the index if
    ///     the tail has reached twice the limit
    static let push =
        fence + """
            local byte, limit, touched, absent, full = string.byte, tonumber(ARGV[2]), 0, 0, {0}
            local words, posts, spread = ARGV[3], tonumber(ARGV[4]), limit / 130
            for i = 2, #KEYS do
            """ + append(to: "KEYS", first: "2") + """
            end
            full[1] = touched
            return full
            """

    /// Adds to each window the posts that `layout` selects.
    ///
    ///     KEYS state tail…   ARGV fence limit layout (words posts)…   → as for `push`
    static let pushEach =
        fence + """
            local byte, limit, touched, absent, full = string.byte, tonumber(ARGV[2]), 0, 0, {0}
            local layout, place, spread, words, posts = ARGV[3], 1, limit / 130, nil, nil
            for i = 2, #KEYS do
            """ + select(first: 4) + append(to: "KEYS", first: "2") + """
            end
            full[1] = touched
            return full
            """

    /// Adds posts to windows of several buckets of a cluster whose slots have this master. The first state key says
    /// where the call goes; Redis checks that the others are here when the script uses them, and ends it if they are
    /// not. The former fence of a bucket ends it, too. `layout` is empty if there is one group, for all windows. Where
    /// there is a fence, there is a stamp.
    ///
    ///     KEYS state   ARGV groups layout (words posts)… (state fence limit count tail…)…
    ///     → as for `push`, with the windows of all buckets counted together
    static let pushBuckets =
        """
        #!lua flags=allow-cross-slot-keys
        local call, byte, groups, spread, touched, absent = redis.call, string.byte, tonumber(ARGV[1]), 0, 0, 0
        local layout, place, words, posts, full = ARGV[2], 1, ARGV[3], tonumber(ARGV[4]), {0}
        local at = groups * 2 + 3
        local first = at
        while ARGV[at] do
            if call('HGET', ARGV[at], 'fence') ~= ARGV[at + 1] then
                return redis.error_reply('FENCED the fence has moved on')
            end
            first = first + 4
            local limit, last = tonumber(ARGV[at + 2]), at + 3 + ARGV[at + 3]
            for i = at + 4, last do
                if groups > 1 then
        """ + select(first: 3) + """
                    end
            """ + append(to: "ARGV", first: "first") + """
                end
                at = last + 1
            end
            full[1] = touched
            return full
            """

    /// Removes posts from windows.
    ///
    ///     KEYS state (window tail)… (build tail)…   ARGV fence pairs (post word)…   → entries removed
    static let remove =
        fence + restamp + windows + filter + """
            local removed, posts, unwanted = 0, {}, {}
            for j = 3, #ARGV, 2 do
                posts[#posts + 1] = ARGV[j]
                unwanted[ARGV[j + 1]] = true
            end
            each(function(_, key, window)
                local ranked = window and call('ZREM', window, unpack(posts)) or 0
                local tail = call('GET', key)
                if tail then
                    local kept, waiting = without(tail, function(entry) return unwanted[sub(entry, -8)] end)
                    if ranked + waiting > 0 then call('SET', key, stamp() .. kept, 'KEEPTTL') end
                    removed = removed + waiting
                end
                removed = removed + ranked
            end)
            return removed
            """

    /// Removes a post from windows that hold it at one position, and finds the windows that do not hold it at an
    /// earlier position: those from which it was removed, now or by an earlier attempt, and those with the position
    /// below their floor.
    ///
    ///     KEYS state (window tail)… (build tail)…   ARGV fence pairs position post entry
    ///     → indices of those windows, from 0
    static let retract =
        fence + restamp + windows + filter + """
            local position, post, entry, found = tonumber(ARGV[3]), ARGV[4], ARGV[5], {}
            local word = sub(entry, -8)
            each(function(i, key, window)
                local tail = call('GET', key)
                if not tail then return end
                local score = window and call('ZSCORE', window, post)
                local first = score and -tonumber(score) or math.huge
                local ranked = first == position and call('ZREM', window, post) or 0
                local kept, waiting = without(tail, function(candidate)
                    if sub(candidate, -8) ~= word then return false end
                    local high, low = struct.unpack('>I4I4', candidate)
                    if high >= 2147483648 then high = high - 2147483648 end
                    first = math.min(first, high * 4294967296 + low)
                    return candidate == entry
                end)
                if ranked + waiting > 0 then call('SET', key, stamp() .. kept, 'KEEPTTL') end
                if first >= position then found[#found + 1] = i end
            end)
            return found
            """

    /// Creates building windows. They receive pushes under their own names and are not read.
    ///
    ///     KEYS state (build window tail)…   ARGV fence seconds replacing(0|1)
    ///     → for each 1, or 0 if there is no window to replace
    static let begin =
        fence + restamp + """
            local begun = {}
            for i = 2, #KEYS, 3 do
                if ARGV[3] == '1' and call('EXISTS', KEYS[i + 1], KEYS[i + 2]) < 2 then
                    begun[#begun + 1] = 0
                else
                    call('SET', KEYS[i], stamp(), 'EX', ARGV[2])
                    begun[#begun + 1] = 1
                end
            end
            return begun
            """

    /// Makes a building window the ready one: the posts read from SQLite become its sorted set, and what was pushed
    /// meanwhile its tail.
    ///
    ///     KEYS state build window tail   ARGV fence milliseconds (dump bytes | pairs (score post)…)
    ///     → 1, 0 if the build is gone, 2 if Redis rejects the dump
    static let flip =
        fence + restamp + write + """
            local pushed = call('GET', KEYS[2])
            if not pushed then return 0 end
            local milliseconds = tonumber(ARGV[2])
            if not write(KEYS[3], milliseconds, 3, #ARGV) then return 2 end
            call('SET', KEYS[4], stamp() .. string.sub(pushed, 9), 'PX', milliseconds)
            call('UNLINK', KEYS[2])
            return 1
            """

    /// Reads tails, with as much of the sorted sets beside them as folds need: all, or the score of the first entry.
    /// Where Redis refuses dumps, it answers with members and scores.
    ///
    ///     KEYS state (window tail)…   ARGV fence (first|dump|pairs)   → (sorted set, tail)…
    static let look =
        fence + """
            local form, found = ARGV[2], {}
            for i = 2, #KEYS, 2 do
                local key, sorted = KEYS[i], nil
                if form == 'first' then
                    sorted = call('ZRANGE', key, 0, 0, 'WITHSCORES')[2] or false
                else
                    if form == 'dump' then sorted = redis.pcall('DUMP', key) end
                    if not sorted or type(sorted) == 'table' then sorted = call('ZRANGE', key, 0, -1, 'WITHSCORES') end
                end
                found[i - 1], found[i] = sorted, call('GET', KEYS[i + 1])
            end
            return found
            """

    /// Replaces sorted sets by ones that have the first `bytes` of their tails merged into them, if nothing but appends
    /// has happened to the windows since they were read. `count` is the number of arguments behind it.
    ///
    ///     KEYS state (window tail)…   ARGV fence (stamp bytes count (dump bytes | pairs (score post)…))…
    ///     → for each 1, 0 if the window has changed, 2 if Redis rejects the dump
    static let fold =
        fence + restamp + write + """
            local function fold(window, key, at, last)
                local tail, milliseconds = call('GET', key), call('PTTL', window)
                if not tail or milliseconds == -2 or string.sub(tail, 1, 8) ~= ARGV[at] then return 0 end
                if not write(window, math.max(milliseconds, 0), at + 3, last) then return 2 end
                call('SET', key, stamp() .. string.sub(tail, ARGV[at + 1] + 1), 'KEEPTTL')
                return 1
            end
            local folded, at = {}, 2
            for i = 2, #KEYS, 2 do
                local last = at + 2 + ARGV[at + 2]
                folded[i / 2] = fold(KEYS[i], KEYS[i + 1], at, last)
                at = last + 1
            end
            return folded
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
    ///     KEYS state (window tail)… (build tail)…   ARGV fence pairs   → windows evicted
    static let evict =
        fence + windows + """
            local evicted = 0
            each(function(_, key, window)
                evicted = evicted + (window and call('UNLINK', window, key) > 0 and 1 or call('UNLINK', key))
            end)
            return evicted
            """
}
