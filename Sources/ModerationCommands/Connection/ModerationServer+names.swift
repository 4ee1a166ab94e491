import CommandSupport
import StrictJSON

/// Resolves names of people and communities to ids.
extension ModerationServer {
    /// Returns the id in `#123` or `id:123`; nil for a name.
    static func id(_ text: String) -> String? {
        let digits = text.hasPrefix("#") ? text.dropFirst() : text.hasPrefix("id:") ? text.dropFirst(3) : ""
        return isID(digits) ? String(digits) : nil
    }

    static func isID(_ digits: some StringProtocol) -> Bool {
        !digits.isEmpty && digits.utf8.count <= 16 && digits.first != "0"
            && digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// Returns the id of a username, ignoring case. Only site moderators find suspended users.
    func userID(_ name: String) async throws -> String {
        if let id = Self.id(name) { return id }
        let name = name.hasPrefix("@") ? String(name.dropFirst()) : name
        if let user = try await found("/v1/users/by-username/\(Self.escaped(name))"),
            let id = user.member("userId")?.stringValue
        {
            return id
        }
        let hidden = try await found("/v1/moderation/users" + Self.queryText([("username", name)]))
        if let id = hidden?.at("items")?.arrayValue?.first?.member("userId")?.stringValue { return id }
        throw ModerationFailure(.notFound, "There is no user named \"\(name)\".")
    }

    /// Returns the id of a community's name. Case only matters if several names differ in nothing else.
    func communityID(_ name: String) async throws -> String {
        if let id = Self.id(name) { return id }
        for path in ["/v1/communities", "/v1/moderation/communities"] {
            if let id = try await communityID(name, in: path) { return id }
        }
        throw ModerationFailure(.notFound, "There is no community named \"\(name)\".")
    }

    func communityID(_ name: String?) async throws -> String? {
        guard let name else { return nil }
        let id: String = try await communityID(name)
        return id
    }

    func userID(_ name: String?) async throws -> String? {
        guard let name else { return nil }
        let id: String = try await userID(name)
        return id
    }

    private func communityID(_ name: String, in path: String) async throws -> String? {
        var (cursor, alike) = (String?.none, [String]())
        repeat {
            let query = [("q", name), ("limit", "100"), ("cursor", cursor)]
            guard let page = try await found(path + Self.queryText(query)) else { return nil }
            for community in page.member("items")?.arrayValue ?? [] {
                guard let id = community.member("communityId")?.stringValue,
                    let other = community.member("name")?.stringValue
                else { continue }
                if other == name { return id }
                if other.lowercased() == name.lowercased() { alike.append(id) }
            }
            cursor = page.member("nextCursor")?.stringValue
        } while cursor != nil
        guard alike.count < 2 else {
            throw ModerationFailure(
                .badData, "Several communities have names like \"\(name)\". Give an id, such as id:\(alike[0]).")
        }
        return alike.first
    }

    /// Returns the answer; nil if the resource does not exist or is hidden from this user.
    func found(_ path: String) async throws -> JSONValue? {
        do {
            return try await send("GET", path)
        } catch RequestFailure.problem(let status, let code, _)
            where status == 400 || status == 404 || code == "not_permitted"
        {
            return nil
        }
    }
}
