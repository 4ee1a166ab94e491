import AsyncHTTPClient
enum Placeholder {}
