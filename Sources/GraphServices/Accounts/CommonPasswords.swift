/// Passwords that are guessed first: words common in lists of stolen passwords, in lower case, and strings that no rule
/// of ``WeakPassword`` covers.
enum CommonPasswords {
    /// Words that make a weak password alone, or with digits and signs before or after them.
    static let words = set(
        """
        abcabc abcd abcde abcdef abcdefg abcdefgh access acdc achilles admin administrator aircraft airforce airplane
        ajax alaska alexander alexandra alexandria alexis alien aliens allah always amanda america american anakin
        andrew android angel angela angelina angelo angels anthony anything apollo apple apples april aragorn argentina
        arizona army arsenal asdf asdfgh asdfghjkl asdzxc ashley asshole athena atlanta audi august australia autumn
        avenger avengers azerty azertyuiop baby babyboy babygirl bailey ballet bambi banana bananas barbie barcelona
        bart baseball basketball bastard batman bayern beach bear bears beatles beautiful believe bella benfica benjamin
        bentley berlin besiktas bestfriend bestfriends beyonce bible bieber biggie billionaire birthday bismillah bitch
        black blackberry blackcat blackjack blackjack1 blank blessed blessing blink182 blue bluesky bond borussia boston
        boyfriend brandon brasil brazil brian britney britneyspears brittany broncos brother buddha buddy budweiser
        bugatti bulbasaur bulldogs bulls bullshit bunny business buster butterfly c3po cadillac california callofduty
        camaro camera camping canada candy captain captain1 captainamerica carolina cartman cash casino catwoman celtic
        celtics champion champions change changeit changeme charizard charles charlie charlotte cheese cheetah chelsea
        cherry chevrolet chevy chewbacca chewie chicago chicagobulls chicken chile china chocolate chris christ
        christian christina christine christmas christopher chrysler church cinderella cisco cocacola coffee coffeebean
        coldplay college colombia colonel computer confidential contrasena contraseña cookie cookies cooper corinthians
        corona corvette counterstrike cousin cowboys cracker crazy cricket crimson crystal cupcake cutie cutiepie daddy
        daisy dallas dance dancer dancing daniel daniela danielle darthvader database david deadpool death december
        default dennis denver destroy destroyer deutschland developer diablo diamond diamonds diana dickhead doctor
        dodge dodgers doggie dollar dollars dolphin dolphins donald donaldduck dontknow doom dorothy dracula dragon
        dragonball drummer drums ducati duke dumbledore dumbo dvorak eagle eagles earth earthquake easter edward egypt
        elizabeth elmo emerald emily eminem england enter eric espana ethan evanescence evelyn everton everything
        facebook faith falcon families family familyguy father february fenerbahce ferrari firefighter fireman fishing
        flamengo florida flower flowers flying football forever forget forgot forgotten fortnite france frank freedom
        friday friend friends friendship frodo fucker fuckme fuckoff fuckyou gabriel gabriela galatasaray galaxy game
        gamecube gameover gamer games gaming gandalf ganesh garfield general george georgia germany ghost giants ginger
        girlfriend gladiator gloria godfather godisgood godislove goku gold golden goldfinger golf golfer goodbye goofy
        google gorgeous gospel grace graduate grandma grandpa graphd green greenday gregory gryffindor guest guinness
        guitar guitarist hack hacker hackers halloween halo hamburger hannah hansolo happiness happy hardware harley
        harleydavidson harold harry harrypotter haslo hawaii hawk heather heaven heineken helen hello hellokitty
        helloworld henry hercules hermione heslo hobbit hockey hogwarts holiday homer homersimpson honda honey honeybee
        hope horse horses hotgirl hotstuff hottie houston hulk hunter hunting hurricane husband huskies idontknow
        ilovegod ilovejesus iloveme iloveu iloveyou incorrect india indonesia influencer insane instagram intel
        intermilan internet invalid iphone ironmaiden ironman isabella island istanbul italia italy jackdaniels jackpot
        jacob jacqueline jaguar jake james jamesbond january japan jasmine jason jasper jayz jedi jeffrey jehovah
        jennifer jeremy jerome jerry jessica jessie jesus jesuschrist joanna john johnny johnson joker jonathan jordan
        jordan23 joseph joshua joyful juan judith julia julian juliana julie july june jupiter justice justin
        justinbieber juventus kanye karen katherine kathleen katie kawasaki kelly kenneth kevin keyboard killer killers
        kimberly king kitten kitty kittycat knicks knight korea krishna kristen ladygaga lakers lamborghini laptop larry
        lasvegas laura lauren lawrence lawyer ledzeppelin legolas leonard leonardo leopard leslie letmein letmein1
        liberty lifehack lifeisgood lightning linda lindsay linkedin linkinpark linux lion lions lisa liverpool
        lkjhgfdsa logan login logon london lordoftherings losangeles louis louise love loveable loveislove lovelife
        lovelove lovely loveme lovepeace lover lovers loveyou lozinka lucas lucky lucy luigi lukeskywalker macbook
        macintosh madison madonna madrid maggie magic magician mama manager manchester manchesterunited manutd march
        marcus margaret maria mariana marie marina marine marines mario mark marlboro mars martha martin martina mary
        maserati master masterkey masterpassword matrix matthew maverick maxwell mazda mcdonalds megadeth megan melanie
        melbourne melissa mercedes mercedesbenz mercury merlin messi metallica mewtwo mexico miami michael michaela
        michaeljordan micheal michelle michigan mickey mickeymouse microsoft miguel milan military million millionaire
        minecraft minnie miranda mitchell mitsubishi mnbvcxz mobile mohammed molly mommy monday money moneymaker monica
        monitor monkey montana moon moonlight morgan morpheus moscow motdepasse mother motherfucker motorcycle motorola
        mountain muhammad muppets murder music musica musician mustang myaccount myangel mybaby mycat mydog myhoney
        mylife mylogin mylove mypass mypassw mypassword mysecret nancy naruto natalia natalie natasha nathan navy nemo
        neptune network nevada newpassword newyork newyorkcity neymar nicholas nicolas nicole nigeria ninja nintendo
        nirvana nissan nobody nokia none noone nopass nopassword nothing november nurse oasis ocean october oldpassword
        oliver olivia onedirection onepiece open opensesame oracle orange orange1 oregon orlando oscar owner packers
        pacman pakistan palmeiras pamela panasonic pancake panther panthers papa paris parola passpass passw0rd passwd
        password password1 password12 password123 passwordpassword passwort pasta patricia patrick patrickstar patriots
        paul pauline peace peaches peanut peanuts pearl penguin pentium pepper pepsi peru peter peterpan phantom philip
        philippines phillip phoenix phoenix1 phone piano pierre pikachu pilot pink pinkfloyd pinky pirate pirates pizza
        planet platinum playboy player playgirl playstation pluto poiuytrewq pokemon poker poland police policeman
        polska pony pooh porn porsche portland potato prayer predator pretty prince princess printer private programmer
        psycho pumpkin puppies puppy purple pussy qazwsx qazwsxedc quake queen queen1 qweasd qweasdzxc qwer qwerty
        qwertyuiop qwertz qwertzuiop r2d2 rabbit rachel radiohead raiders rainbow rainbow1 rambo rangers ravenclaw
        raymond realmadrid rebecca redrose redskins redsox remember rich richard rihanna river robert roberto robin
        roblox rockandroll rocknroll rockstar rocky rocky1 rodrigo roger rollingstones ronald ronaldo root rosemary
        router ruby rugby running russell russia ryan sabrina sadie sakura salasana samantha samsung samsung1 samuel
        samurai sandra santos sapphire sarah sasuke saturday saturn sauron savior scarface scarlet school scooby
        scoobydoo scott seattle sebastian secret secure security sega senha september sergeant sergio server sexsexsex
        sexy sexyboy sexygirl sexymama shadow shakira shannon shark sharon shelby shithead shiva signin silver simba
        simpsons singer sister skateboard skywalker slimshady slipknot slytherin smile smiley snoopy snowboard snowwhite
        soccer socialgraph socialmedia softball software soldier someone something sonic sony sophia sophie sopranos
        sorcerer southpark spaghetti spain spartan spartans spiderman spirit spongebob spring spurs squidward stanley
        starbucks starcraft starlight stars startrek starwars steelers stella stephanie stephen steve steven stewart
        storm stormtrooper strawberry student subaru success successful sugar summer sunday sunflower sunrise sunset
        sunshine superhero superman superstar superuser surfer surfing susan suzuki sweet sweetheart sweetie swimming
        sydney sysadmin system taylor taylorswift teacher telephone television temp temporary tennis tequila teresa
        terminator terry tesla test tester testing tetris texas thebeatles thepassword theresa thomas thor thunder
        thursday tiffany tiger tigers tigger timeline timothy tinkerbell titan toby tokyo tomato tommy tony topgun
        topsecret tornado tottenham toyota travis trevor trinity trojan truck trucker trust trustme trustno1 trustnoone
        tuesday tupac turkey turtle twitter tyler ubuntu ukraine uncle unicorn universe university unix unknown uranus
        user vader valentin valentina valeria vampire vanessa vegas vegeta venus veronica victor victoria victory video
        videos viking vikings vincent violet virginia vodka volcano voldemort volkswagen volleyball volvo wachtwoord
        walter warcraft warrior warriors wasd webmaster website wednesday weekend welcome welcomeback wendy werewolf
        wertyu whale whatever whatpassword whiskey white whitehouse wife wildcats william williams willie windows winner
        winnie winniethepooh winston winter wireless wizard wolf wolverine wolves wonderwoman xavier xbox yamaha yankees
        yellow yoda yourpassword youtube yvonne zachary zaqwsx zaqxsw zelda zeus zombie zxcvbn zxcvbnm
        """)

    /// Strings that are weak passwords as they are.
    static let strings = set(
        #"""
        !@#$%^&* !@#$%^&*() !qaz2wsx !qaz@wsx 007bond7 0102030405 0123456789 0987654321 10203040 102030405 1029384756
        11223344 1122334455 112233445566 123123123 123321123 12341234 123412345 1234512345 12345678 123456789 1234567890
        12345678910 1234qwer 123qwe123 123qweasd 123qweasdzxc 13579246 135792468 1357924680 147258369 159357456
        159753456 19871987 1loveyou 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1q@w3e4r 1qaz2wsx 1qaz2wsx3edc 1qazxsw2 20202020
        27182818 31415926 314159265 456789123 741852963 789456123 87654321 963852741 987654321 a1234567 a12345678
        a123456789 a1b2c3d4 a1b2c3d4e5 aa123456 aa12345678 abc12345 abc123456 abcd1234 admin123 admin1234 admin12345
        admin@123 agent007 area5151 asd12345 asd123456 asdf1234 asdf123456 asdfasdf blink182 bond0007 changeme1
        changeme123 correcthorsebatterystaple dragon12 everythingisawesome fuckyou1 g_czechout guest1234 ihateyou
        ilovemyself iloveyou1 iloveyou12 iloveyou123 iloveyou2 imnotarobot jordan23 letmein123 letmeinplease login123
        master123 michael1 monkey12 ncc1701d ncc1701e p4ssw0rd p4ssword p@$$w0rd p@ssw0rd p@ssword pa$$w0rd pa$$word
        pa55w0rd pa55word pass1234 pass12345 passw@rd q1234567 q1w2e3r4 q1w2e3r4t5 qq123456 qweqwe123 qwer1234 qwerty12
        qwerty123 r2d2c3po root1234 rush2112 secret123 takemehome temp1234 test1234 test12345 thx11381 trustno1 user1234
        welcome1 welcome123 whatisthis xx123456 z1234567 zaq12wsx zaq1xsw2 zaq1zaq1 zxcv1234 zz123456
        """#)

    private static func set(_ text: String) -> Set<String> {
        Set(text.split { $0 == " " || $0 == "\n" }.map { String($0) })
    }
}
