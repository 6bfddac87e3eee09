/**
 * Shared parts of clients of model providers: connections and HTTP exchanges, streamed responses, and failures as
 * exceptions without secrets. A client of another provider stands on these packages.
 */
module dev.chargehand.provider {
    requires static transitive org.jspecify;
    requires transitive dev.chargehand;
    requires transitive org.apache.httpcomponents.client5.httpclient5;
    requires transitive org.apache.httpcomponents.core5.httpcore5;
    requires org.slf4j;
    requires transitive tools.jackson.core;
    requires tools.jackson.databind;

    exports dev.chargehand.provider.connection;
    exports dev.chargehand.provider.fault;
    exports dev.chargehand.provider.stream;
}
