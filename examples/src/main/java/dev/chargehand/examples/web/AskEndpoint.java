package dev.chargehand.examples.web;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunStream;
import dev.chargehand.event.RunEvent;
import dev.chargehand.json.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** An endpoint of a web application: sends the answer of an agent to a browser as it is written. */
final class AskEndpoint implements HttpHandler {

    private final AgentRuntime runtime;

    AskEndpoint(AgentRuntime runtime) {
        this.runtime = runtime;
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        String question = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String user = "ann"; // who is signed in, from the session of your application
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        try (OutputStream out = exchange.getResponseBody();
                RunStream run = runtime.agent("assistant").stream(
                        question, o -> o.thread("support-" + user).resource(user))) {
            for (RunEvent event : run) {
                switch (event) {
                    case RunEvent.TextDelta delta -> {
                        if (delta.path().isRoot()) { // not the text of a sub-agent
                            send(out, "text", Map.of("text", delta.text()));
                        }
                    }
                    case RunEvent.DelegationStart start -> send(out, "busy", Map.of("agent", start.agentId()));
                    case RunEvent.RunSuspend waiting ->
                        send(out, "waits", Map.of("calls", waiting.pending().size()));
                    case RunEvent.RunFinish end -> {
                        if (end.path().isRoot()) {
                            send(out, "end", Map.of("status", end.status().name()));
                        }
                    }
                    default -> {}
                }
            }
        } // the browser has left: closing the stream cancels the run
    }

    private static void send(OutputStream out, String event, Map<String, Object> data) throws IOException {
        String frame = "event: " + event + "\ndata: " + Json.of(data).text() + "\n\n";
        out.write(frame.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}
