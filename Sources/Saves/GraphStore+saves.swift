import SocialGraph

extension GraphStore {
    package var saves: SaveStore { SaveStore(database: database) }
    package var collections: CollectionStore { CollectionStore(database: database) }
}
