import ArgumentParser
import Configuration
import CryptoExtras
import Hummingbird
import JWTKit
@main struct Graphd: ParsableCommand { func run() {} }
