package dev.chargehand.examples.web;

import com.sun.net.httpserver.HttpServer;
import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.Wakeups;
import dev.chargehand.jdbc.JdbcStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.Executors;

/** A web application of the JDK's own server with an agent in it. */
public final class WebApplication implements AutoCloseable {

    private final AgentRuntime runtime;
    private final HttpServer server;

    /** Start it on a port, 0 for any that is free. */
    WebApplication(Agent assistant, Path store, int port) throws IOException {
        runtime = AgentRuntime.builder()
                .store(JdbcStore.sqlite(store))
                .agents(assistant)
                .wakeups(Wakeups.all())
                .approverCheck((call, approver) -> approver.id().endsWith("@example.com"))
                .build();
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/ask", new AskEndpoint(runtime));
        server.start();
    }

    /** Return the runtime of the application. */
    AgentRuntime runtime() {
        return runtime;
    }

    /** Return where it listens. */
    int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        runtime.close(); // releases the runs that are live; the next process continues them
    }
}
