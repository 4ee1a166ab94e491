import Foundation
import ServiceTestSupport
import TestSupport
import Testing

@testable import StrictJSON

/// The leniency of all product APIs towards clients that were written against another server.
@Suite(.timeLimit(.process), .sharedGraphd)
struct ProductRequestTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    private func upload(_ client: APIClient, _ parts: [(name: String, text: String)]) async throws -> JSONValue {
        var form = FormText()
        form.add("videoFile", file: SampleFile.mp4(), named: "clip.mp4")
        for (name, text) in parts { form.add(name, text) }
        let answer = try await client.upload(form, to: "/vistavid/video/upload")
        let id = try #require(try answer.json["videoId"]?.text, "\(answer)")
        return try await client.get("/vistavid/video/\(id)").json
    }

    @Test(arguments: [
        (ProductUnderTest.fitFocus, "profilePicUrl", "preferences", #"{"primaryGoal":"strength","skillLevel":"high"}"#),
        (
            .fitStream, "profileImageUrl", "workoutPreferences",
            #"{"preferredWorkoutTypes":["HIIT"],"preferredDifficulty":"Hard"}"#
        ),
        (.reelAI, "profilePictureUrl", "skillLevel", #""advanced""#),
    ])
    func `a sign-up stores the whole profile, or nothing`(
        product: ProductUnderTest, picture: String, preferences: String, value: String
    ) async throws {
        let name = "who\(product.base.dropFirst())"
        func signUp(_ picture: String, _ preferences: String) async throws -> Answer {
            try await server.client().post(
                "\(product.base)/auth/signup",
                #"{"email":"\#(name)@example.org","password":"correct horse","\#(product.name)":"Jö","username":"","#
                    + #""\#(self.field(product))":\#(picture),"\#(self.entry(product))":\#(preferences)}"#)
        }
        #expect(self.field(product) == picture && self.entry(product) == preferences)
        // A bad value leaves no account behind: the address stays free.
        #expect(try await signUp(#""me.jpg""#, value).status == 422)
        #expect(try await signUp(#""\#(server.client().base)/media/17.png""#, value).status == 422)
        #expect(try await signUp(#""""#, "17").status == 400)
        let answer = try await signUp(#""https://example.org/p.jpg""#, value)
        #expect(answer.status == 201, "\(answer)")
        let id = try #require(try answer.json[product.userID]?.text)
        let user = try await server.client(token: try answer.json["token"]?.text).get("\(product.base)/users/\(id)")
            .json
        #expect(user[product.name] == .string("Jö") && user[picture] == .string("https://example.org/p.jpg"))
        #expect(try user[preferences] == JSONReader.read(Array(value.utf8)))
    }

    private func field(_ product: ProductUnderTest) -> String {
        product.userKeys.first { $0.hasPrefix("profile") } ?? ""
    }
    private func entry(_ product: ProductUnderTest) -> String {
        product.userKeys.first { ["preferences", "workoutPreferences", "skillLevel"].contains($0) } ?? ""
    }

    @Test func `empty texts of an upload are none`() async throws {
        let client = server.client(try await server.person())
        for text in ["", " \n"] {
            let video = try await upload(
                client, [("description", text), ("userId", ""), ("thumbnail", ""), ("algorithmTags", "")])
            #expect(video["description"] == .string("") && video["algorithmTags"] == .array([]))
        }
        var form = FormText()
        form.add("file", file: SampleFile.png(), named: "a.png")
        form.add("thumbnail", file: [], named: "")
        #expect(try await client.upload(form, to: "/social/media").status == 201)
        #expect(try await client.upload(form, to: "/v1/media").status == 422)
    }

    @Test(arguments: [
        [("algorithmTags", "AI, Fitness,")], [("algorithmTags[0]", "AI"), ("algorithmTags[1]", "Fitness")],
        [("algorithmTags[]", "AI,Fitness")],
    ])
    func `tags are one list or indexed parts`(parts: [(name: String, text: String)]) async throws {
        let video = try await upload(server.client(try await server.person()), [("description", "d")] + parts)
        #expect(video["algorithmTags"] == .array([.string("AI"), .string("Fitness")]))
    }

    @Test func `empty texts of a post, a share and a body are none`() async throws {
        let person = try await server.person()
        let client = server.client(person)
        let made = try await client.post(
            "/social/post/create",
            #"{"userId":"","mediaUrl":"https://example.org/a.jpg","caption":"","link":"","collaborators":[""]}"#)
        let post = try #require(try made.json["postId"]?.text, "\(made)")
        let shown = try await client.get("/social/post/\(post)").json
        #expect(shown["caption"] == .string("") && shown["link"] == .null && shown["collaborators"] == .array([]))
        let share = try await client.post("/social/post/\(post)/share", #"{"userId":"","platform":""}"#)
        #expect(try share.status == 201 && share.json["platform"] == .string("internal"), "\(share)")
        let community = try await client.post(
            "/vistavid/communities", #"{"name":"Blank \#(person.username)","description":" ","creatorId":""}"#)
        let id = try #require(try community.json["communityId"]?.text, "\(community)")
        #expect(try await client.get("/vistavid/communities/\(id)").json["description"] == .string(""))
    }

    @Test(arguments: [
        "/vistavid/video/{}/comment content", "/social/post/{}/comment text", "/fitfocus/videos/{}/comments text",
    ])
    func `a comment of blanks is refused`(route: String) async throws {
        let client = server.client(try await server.person())
        let words = route.split(separator: " ").map(String.init)
        let post = try await ProductUnderTest.fitFocus.video(client)
        let path = words[0].replacing("{}", with: post)
        let blank = try await client.post(path, #"{"\#(words[1])":" \n\t"}"#)
        #expect(try blank.status == 422 && blank.json["code"] == .string("invalid_value"))
        #expect(try await client.post(path, #"{"\#(words[1])":" a "}"#).status == 201)
    }

    @Test func `a picture may be wrapped, and a data URL`() async throws {
        let bare = Data(SampleFile.png()).base64EncodedString()
        let wrapped = Data(SampleFile.png()).base64EncodedString(options: [.lineLength64Characters])
            .replacing("\r\n", with: "\\r\\n")
        for (index, text) in [wrapped, "data:image/png;base64," + bare, ""].enumerated() {
            let answer = try await signUp("wrap\(index)", picture: text)
            #expect(answer.status == 201, "\(answer)")
            let client = server.client(try await server.person())
            let user = try await client.get("/vistavid/user/\(try #require(try answer.json["userId"]?.text))").json
            #expect((user["profilePicUrl"] == .null) == text.isEmpty)
        }
        for (text, reason) in [
            ("iVB*", "\"*\" at byte 3"), ("iVBOR", "5 characters"), ("data:image/png,iVBO", "data URL"),
            (" ", "no char"),
            ("iV=B", "pad its end"), ("i===", "pad its end"),
        ] {
            let answer = try await signUp("bad", picture: text)
            #expect(try answer.status == 422 && answer.json["error"]?.text?.contains(reason) == true, "\(answer)")
        }
        let strict = try await server.client().post(
            "/v1/auth/signup",
            #"{"email":"s@example.org","password":"correct horse","username":"s","profilePicData":""}"#)
        #expect(strict.status == 422)
    }

    private func signUp(_ name: String, picture: String) async throws -> Answer {
        try await server.client().post(
            "/vistavid/auth/signup",
            #"{"email":"\#(name)@pic.example","password":"correct horse","username":"\#(name).pic","#
                + #""profilePicData":"\#(picture)"}"#)
    }

    @Test func `an unknown path and a wrong method answer in the product's format`() async throws {
        let client = server.client(try await server.person())
        for (path, keys) in [
            ("/vistavid/nothing", ["success", "error", "code"]), ("/social/nothing", ["status", "message", "code"]),
            ("/fitstream/nothing", ["error", "code"]), ("/reelai//videos", ["error", "code"]),
            ("/fitfocus", ["error", "code"]),
        ] {
            let answer = try await client.get(path)
            #expect(try answer.status == 404 && answer.json.names == keys, "\(answer)")
            #expect(try answer.json["code"] == .string("not_found"))
        }
        let wrong = try await client.send("PUT", "/vistavid/videos")
        #expect(try wrong.status == 405 && wrong.json.names == ["success", "error", "code"])
        #expect(wrong.header("Allow") == "GET, HEAD")
        #expect(try await client.get("/vistavidx").json["requestId"] != nil)
    }

    @Test(arguments: ProductUnderTest.all)
    func `recommendations need the user's id`(product: ProductUnderTest) async throws {
        let member = try await product.member(server, "need")
        for query in ["", "?\(product.recommendations.user)="] {
            let answer = try await member.get(product.recommendations.path + query)
            #expect(try answer.status == 400 && answer.json["error"]?.text?.isEmpty == false, "\(answer)")
        }
    }

    @Test func `a query into a video without segments is 400 in FitFocus`() async throws {
        let member = try await ProductUnderTest.fitFocus.member(server, "seg")
        let video = try await ProductUnderTest.fitFocus.video(member.client)
        let answer = try await member.post(
            "/smartScan/searchSegment", #"{"videoId":"\#(video)","userQuery":"squats"}"#)
        #expect(
            try answer.status == 400 && answer.json["error"] == .string("Video not found or AI analysis failed."))
    }

    @Test func `lists that the contract does not divide have more than ten entries`() async throws {
        let (ann, ben) = (try await server.person(), try await server.person())
        let (annClient, benClient) = (server.client(ann), server.client(ben))
        try await annClient.act("PUT", "/v1/users/\(ben.idText)/follow")
        for number in 0..<12 {
            let post = try await benClient.publish("post \(number)")
            #expect(try await annClient.put("/v1/posts/\(post)/like").status == 200)
            let body = #"{"name":"List \#(number) \#(ann.username)","description":"d"}"#
            #expect(try await annClient.post("/vistavid/communities", body).status == 201)
        }
        #expect(try await annClient.get("/social/timeline/\(ann.idText)").json["posts"]?.entries?.count == 12)
        let told = try await benClient.get("/social/notifications/\(ben.idText)").json["notifications"]?.entries
        #expect(told?.count ?? 0 >= 12)
        let listed = try await benClient.get("/vistavid/communities").json["communities"]?.entries ?? []
        let own = listed.filter { $0["name"]?.text?.hasSuffix(ann.username) == true }
        #expect(own.count == 12 && own.allSatisfy { $0["members"] == .array([.string(ann.idText)]) })
        #expect(try await benClient.get("/vistavid/communities?limit=3").json["communities"]?.entries?.count == 3)
    }

    @Test func `the creator of a community may leave it`() async throws {
        let (ann, ben) = (try await server.person(), try await server.person())
        let (annClient, benClient) = (server.client(ann), server.client(ben))
        let made = try await annClient.post(
            "/vistavid/communities", #"{"name":"Leave \#(ann.username)","description":"d"}"#)
        let path = "/vistavid/communities/\(try #require(try made.json["communityId"]?.text))"
        #expect(try await benClient.post("\(path)/join", "{}").status == 200)
        #expect(try await annClient.post("\(path)/leave", "{}").status == 200)
        let passed = try await annClient.get(path).json
        let heirs = JSONValue.array([.string(ben.idText)])
        #expect(passed["members"] == heirs && passed["moderators"] == heirs)
        #expect(try await benClient.post("\(path)/leave", "{}").status == 200)
        let empty = try await annClient.get(path).json
        #expect(empty["members"] == .array([]) && empty["moderators"] == .array([]))
        #expect(try await annClient.post("\(path)/join", "{}").status == 200)
    }
}
