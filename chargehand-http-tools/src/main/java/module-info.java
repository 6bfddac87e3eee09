/** Tools that call the operations of an OpenAPI document, and tools that run programs. */
module dev.chargehand.httptools {
    requires static transitive org.jspecify;
    requires transitive dev.chargehand;
    requires transitive dev.chargehand.document;
    requires transitive dev.chargehand.provider;

    exports dev.chargehand.command;
    exports dev.chargehand.openapi;
}
