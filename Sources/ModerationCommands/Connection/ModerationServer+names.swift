import GraphdClient

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
        if let user = try await found({ try await $0.accounts.userByUsername(username: name) }) { return user.userId }
        let hidden = try await found { try await $0.moderation.findModeratedUsers(username: name) }
        if let user = hidden?.items.first { return user.userId }
        throw ModerationFailure(.notFound, "There is no user named \"\(name)\".")
    }

    /// Returns the id of a community's name. Case only matters if several names differ in nothing else.
    func communityID(_ name: String) async throws -> String {
        if let id = Self.id(name) { return id }
        let shown = try await communityID(name) { client in
            client.communities.all(query: name, pageSize: Self.pageLimit).map { ($0.communityId, $0.name) }
        }
        if let shown { return shown }
        let moderated = try await communityID(name) { client in
            client.moderation.allModeratedCommunities(query: name, pageSize: Self.pageLimit)
                .map { ($0.communityId, $0.name) }
        }
        if let moderated { return moderated }
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

    /// - Parameter list: The ids and names of the communities to look at.
    private func communityID<List: AsyncSequence>(
        _ name: String, in list: (GraphdClient) -> List
    ) async throws -> String? where List.Element == (String, String) {
        let matches = try await found { client in
            var alike: [String] = []
            for try await (id, other) in list(client) {
                if other == name { return [id] }
                if other.lowercased() == name.lowercased() { alike.append(id) }
            }
            return alike
        }
        guard let matches, matches.count > 1 else { return matches?.first }
        throw ModerationFailure(
            .badData, "Several communities have names like \"\(name)\". Give an id, such as id:\(matches[0]).")
    }

    /// Returns whether the modlog has an entry with that digest.
    func hasModlogEntry(withDigest digest: String) async throws -> Bool {
        try await asking { client in
            for try await entry in client.moderation.allModlog(pageSize: Self.pageLimit) where entry.digest == digest {
                return true
            }
            return false
        }
    }

    /// Returns the answer; nil if the resource does not exist or is hidden from this user.
    func found<Answer>(_ requests: (GraphdClient) async throws -> Answer) async throws -> Answer? {
        do {
            return try await asking(requests)
        } catch RequestFailure.problem(let status, let code, _)
            where status == 400 || status == 404 || code == "not_permitted"
        {
            return nil
        } catch let failure as ModerationFailure where failure.status == .badData {
            // Not a name of which a path can be made.
            return nil
        }
    }
}
