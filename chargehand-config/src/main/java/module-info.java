/** Agents, tools, scorers and providers of a {@code chargehand.yaml}. */
module dev.chargehand.config {
    requires static transitive org.jspecify;
    requires transitive dev.chargehand;
    requires transitive dev.chargehand.document;
    requires transitive dev.chargehand.httptools;

    exports dev.chargehand.config;
}
