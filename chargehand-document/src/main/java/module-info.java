/** YAML and JSON documents with the position of every value, and mistakes in them. */
module dev.chargehand.document {
    requires static transitive org.jspecify;
    requires transitive dev.chargehand;
    requires transitive org.snakeyaml.engine;

    exports dev.chargehand.document;
}
