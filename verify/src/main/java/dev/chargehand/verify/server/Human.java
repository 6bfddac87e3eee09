package dev.chargehand.verify.server;

import dev.chargehand.json.Json;
import dev.chargehand.json.JsonType;
import dev.chargehand.verify.harness.OutsideLedger;
import dev.chargehand.verify.server.client.Http;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;

/**
 * Answers all calls that wait, over HTTP: approves them, and says of those that a kill has interrupted whether the outside
 * world has seen them. Ends when its thread is interrupted.
 */
final class Human implements Runnable {

    private static final long BETWEEN_LOOKS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Servers servers;
    private final OutsideLedger ledger;
    private final SplittableRandom random;
    private final BiConsumer<String, String> fault;

    Human(Servers servers, OutsideLedger ledger, SplittableRandom random, BiConsumer<String, String> fault) {
        this.servers = servers;
        this.ledger = ledger;
        this.random = random;
        this.fault = fault;
    }

    @Override
    public void run() {
        while (!Thread.currentThread().isInterrupted()) {
            try {
                Http.Answer waiting = Http.get(servers.any(random), "/api/v1/approvals?limit=200");
                if (waiting.isDone()) {
                    List<Json> calls =
                            waiting.body().at("/approvals").orElseThrow().as(new JsonType<>() {});
                    for (Json call : calls) {
                        answer(servers.any(random), call);
                    }
                }
            } catch (IOException e) {
                // a server was killed; what it has accepted is answered
            }
            LockSupport.parkNanos(BETWEEN_LOOKS);
        }
    }

    private void answer(URI server, Json call) throws IOException {
        boolean happened = text(call, "kind").equalsIgnoreCase("interrupted") && ledger.has(text(call, "callId"));
        Map<String, String> body = happened
                ? Map.of("decision", "data", "digest", text(call, "digest"), "data", "ok")
                : Map.of("decision", "approve", "digest", text(call, "digest"));
        Http.Answer answer = Http.post(server, "/api/v1/approvals/" + text(call, "id") + "/answer", body, Map.of());
        boolean isLate =
                answer.status() == 404 || answer.status() == 409; // it was answered before, through another server
        if (!answer.isDone() && !answer.isForNow() && !isLate) {
            fault.accept("lost", "an answer to " + call + " was rejected: " + answer);
        }
    }

    private static String text(Json call, String name) {
        return call.at("/" + name).flatMap(Json::string).orElse("");
    }
}
