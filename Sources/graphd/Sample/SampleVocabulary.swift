/// The names of the people in the sample network, and the texts of their posts.
enum SampleVocabulary {
    struct Topic: Sendable {
        let category: String
        let tags: [String]
        let subjects: [String]
    }

    static let firstNames = words(
        """
        mira jonas aiko tomas leila niko amara stefan yuna pablo freya omar ines kofi zara emil nadia ravi lucia anders
        priya mateo sana felix chioma hugo mei dario alma idris clara tariq elif bruno hana oskar rosa kenji vera luca
        noor simon thea jamal petra milo asha viktor lina rafael
        """)

    static let lastNames = words(
        """
        okafor lindqvist tanaka moreno haddad novak mensah weber kim duarte olsen rahman costa boateng nazari fischer
        ivanova sharma rossi berg patel vargas malik brandt eze laurent chen conti strand farah keller aydin lopes sato
        nyberg cruz mori khan steiner diallo
        """)

    static let openers = [
        "First try:", "Three minutes of", "What nobody tells you about", "Day one of", "My take on", "Half a year of",
        "How I learned", "Everyone asks about", "Back again with", "Slow motion:", "The honest truth about",
        "Before and after:", "One mistake in", "A beginner's guide to", "Rating", "Part two of",
    ]

    static let closers = [
        "", "Wait for the end.", "Tell me what you think.", "Save this for later.", "It took eleven takes.",
        "Would you try it?", "More next week.", "Thanks for watching.", "Sound on.", "Yes, it really happened.",
    ]

    static let answers = [
        "Saved!", "I needed this today.", "How long did it take?", "Please do a part two.", "My sister sent me here.",
        "That went better than mine.", "What is the song?", "Trying it on Sunday.", "So calm.", "Wait, what?",
        "The ending!", "I have watched this five times.",
    ]

    static let topics = [
        Topic(
            category: "Tech", tags: ["AI", "Gadgets", "Coding", "Robotics"],
            subjects: [
                "a robot arm from scrap", "training a tiny model at home", "the desk set-up", "repairing an old phone",
                "a keyboard built by hand", "debugging at midnight",
            ]),
        Topic(
            category: "Fitness", tags: ["Fitness", "Running", "Yoga", "Climbing"],
            subjects: [
                "the five-minute warm-up", "my first ten kilometres", "pull-ups from zero", "morning stretches",
                "a climb I was afraid of", "training without a gym",
            ]),
        Topic(
            category: "Beauty", tags: ["Makeup", "Skincare", "Hair", "Nails"],
            subjects: [
                "a two-colour eyeliner", "skin care in winter", "curls without heat", "a look in three products",
                "nails like stained glass", "make-up that lasts a night",
            ]),
        Topic(
            category: "Food", tags: ["Cooking", "Baking", "StreetFood", "Vegan"],
            subjects: [
                "jollof rice for twelve", "bread with three ingredients", "noodles in one pan",
                "grandmother's plum cake",
                "the night market", "lunch for a week",
            ]),
        Topic(
            category: "Travel", tags: ["Travel", "Hiking", "Cities", "VanLife"],
            subjects: [
                "a night train north", "the quiet side of the lake", "two days in Porto", "packing for a month",
                "sleeping in a van", "sunrise above the clouds",
            ]),
        Topic(
            category: "Music", tags: ["Guitar", "Piano", "Singing", "Beats"],
            subjects: [
                "a chord that changes everything", "singing in a stairwell", "a beat made of kitchen sounds",
                "my first street concert", "an old song, slower", "practising in secret",
            ]),
        Topic(
            category: "Dance", tags: ["Dance", "HipHop", "Salsa", "Tutorial"],
            subjects: [
                "the footwork, slowly", "salsa in the kitchen", "eight counts to learn today", "dancing in the rain",
                "the choreography from both sides", "teaching my father to dance",
            ]),
        Topic(
            category: "Comedy", tags: ["Comedy", "Pets", "Office", "Family"],
            subjects: [
                "a cat that answers the phone", "meetings that could be a letter", "my mother on speaker",
                "parallel parking",
                "the neighbour's parrot", "family dinner, explained",
            ]),
    ]

    private static func words(_ text: String) -> [String] {
        text.split(whereSeparator: \.isWhitespace).map(String.init)
    }
}
