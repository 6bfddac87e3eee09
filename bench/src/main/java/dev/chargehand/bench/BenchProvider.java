package dev.chargehand.bench;

import dev.chargehand.testkit.provider.LoopbackProvider;
import dev.chargehand.testkit.provider.ProviderOptions;
import dev.chargehand.testkit.provider.reply.Reply;
import dev.chargehand.testkit.provider.request.ChatMessage;
import dev.chargehand.testkit.provider.request.ReceivedRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * The model server of the benchmarks, in a process of its own: a delegated run of four model calls.
 *
 * <p>A boss delegates to a helper for ever, until a bail ends the run. Else the supervisor delegates, the worker calls a tool, the worker answers, the supervisor answers; each answer repeats
 * the marker of its run, so that a wrong one shows.
 */
final class BenchProvider {

    /** How many deltas an answer of text is cut into. */
    static final int DELTAS = 32;

    private BenchProvider() {}

    static void main(List<String> arguments) throws IOException {
        Duration delay = Duration.ofMillis(Long.parseLong(arguments.get(0)));
        Duration held = Duration.ofMillis(Long.parseLong(arguments.get(1)));
        try (LoopbackProvider provider = LoopbackProvider.start(ProviderOptions.DEFAULT.forLoad())) {
            provider.fallback(request -> answer(request, delay, held));
            System.out.println(provider.port());
            while (System.in.read() >= 0) {
                // whatever comes is of no interest; its end is
            }
        }
    }

    static Reply answer(ReceivedRequest request, Duration delay, Duration held) {
        String marker = marker(request);
        if (request.model().equals("boss")) {
            long turn = request.messages().stream()
                    .filter(message -> message.role().equals("tool"))
                    .count();
            String prompt = "{\"prompt\":\"part " + turn + " of " + marker + "\"}";
            return Reply.toolCalls(Reply.call("call_" + marker + "_" + turn, "agent-helper", prompt));
        }
        if (request.model().equals("helper")) {
            return Reply.text(deltas("done " + marker));
        }
        boolean answered = request.messages().getLast().role().equals("tool");
        if (request.model().equals("supervisor")) {
            return answered
                    ? Reply.text(deltas("done " + marker)).delay(delay)
                    : Reply.toolCalls(Reply.call(
                                    "call_" + marker, "agent-worker", "{\"prompt\":\"work on " + marker + "\"}"))
                            .delay(delay);
        }
        return answered
                ? Reply.text(deltas("found " + marker)).delay(delay)
                : Reply.toolCalls(Reply.call("call_" + marker, "look", "{\"query\":\"" + marker + "\"}"))
                        .delay(held.isZero() ? delay : held);
    }

    /** The marker is the last word of the latest user message. */
    private static String marker(ReceivedRequest request) {
        String text = "";
        for (ChatMessage message : request.messages()) {
            if (message.role().equals("user")) {
                text = message.text();
            }
        }
        return text.substring(text.lastIndexOf(' ') + 1);
    }

    private static String[] deltas(String text) {
        String[] deltas = new String[DELTAS];
        for (int i = 0; i < DELTAS - 1; i++) {
            deltas[i] = "word" + i + " ";
        }
        deltas[DELTAS - 1] = text;
        return deltas;
    }
}
