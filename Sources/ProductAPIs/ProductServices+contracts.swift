import GraphHTTP

extension ProductServices {
    /// All product APIs over these services.
    package var contracts: [any ProductAPI] {
        [
            VistaVidRoutes(services: self), SocialRoutes(services: self),
            VideoRoutes<FitStream>(services: self),
            VideoRoutes<ReelAI>(services: self),
            VideoRoutes<FitFocus>(services: self),
        ]
    }
}
