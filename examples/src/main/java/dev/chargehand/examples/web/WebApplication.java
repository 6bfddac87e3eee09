package dev.chargehand.examples.web;

import com.sun.net.httpserver.HttpServer;
import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.Wakeups;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.tool.Tool;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Scanner;
import java.util.concurrent.Executors;

/** A web application of the JDK's own server with an agent in it, whose refunds somebody approves at the terminal. */
public final class WebApplication implements AutoCloseable {

    /** What the assistant may refund. */
    record Refund(String order) {}

    private final AgentRuntime runtime;
    private final HttpServer server;

    /** Starts the application, and asks at the terminal about each call that waits. */
    public static void main(String[] arguments) throws Exception {
        Tool refund = Tool.builder("refund", "Refunds an order.")
                .input(Refund.class)
                .requiresApproval()
                .handler((in, context) -> "Refunded " + in.order() + ".")
                .build();
        Agent assistant = Agent.builder("assistant")
                .instructions("Help customers of a shop. Refund an order if they ask for it and name its number.")
                .model("openai/gpt-5-mini")
                .tools(refund)
                .build();
        Path store = Path.of(".chargehand", "web.db");
        Files.createDirectories(store.getParent());
        try (WebApplication application = new WebApplication(assistant, store, 8080)) {
            System.out.println("curl -N -d 'Please refund order o-7' http://127.0.0.1:" + application.port() + "/ask");
            System.out.println("Press Enter to approve what waits, Ctrl-C to stop.");
            Scanner terminal = new Scanner(System.in, StandardCharsets.UTF_8);
            ApprovalInbox inbox = new ApprovalInbox(application.runtime());
            while (terminal.hasNextLine()) {
                terminal.nextLine();
                for (PendingApproval call : inbox.waiting()) {
                    System.out.println("Approved: " + call.toolName() + " "
                            + call.arguments().text());
                    inbox.approve(call.rootRunId(), call.callId(), call.digest(), "ann@example.com");
                }
            }
        }
    }

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
