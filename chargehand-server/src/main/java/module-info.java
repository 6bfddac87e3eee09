/** A server that makes the agents of a runtime reachable over HTTP. */
module dev.chargehand.server {
    requires static transitive org.jspecify;
    requires transitive dev.chargehand;
    requires io.github.bucket4j.core;
    requires io.helidon.http;
    requires io.helidon.webserver;
    requires java.net.http;
    requires jdk.httpserver;
    requires org.jose4j;
    requires org.slf4j;

    exports dev.chargehand.server;
}
