package dev.chargehand.bench;

import dev.chargehand.testkit.provider.LoopbackProvider;
import dev.chargehand.testkit.provider.ProviderOptions;
import dev.chargehand.testkit.provider.reply.ChatReply;
import dev.chargehand.testkit.provider.reply.Reply;
import dev.chargehand.testkit.provider.request.ChatMessage;
import dev.chargehand.testkit.provider.request.ReceivedRequest;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/**
 * The model server of the benchmarks, in a process of its own: the models of {@link Agents}. Each last answer repeats
 * the marker of its run, so that a wrong one shows.
 */
final class BenchProvider {

    /** How many deltas an answer of text is cut into, unless the arguments say another number. */
    private static final int DELTAS = 32;

    /** How many deltas the long answer has. */
    static final int MANY_DELTAS = 20_000;

    /** How many steps the run of many steps has. */
    static final int STEPS = 200;

    /** Before the answer in the middle of a delegated run. */
    private final Gate gate = new Gate();

    private final Duration delay;
    private final int deltas;

    /**
     * Make the models.
     *
     * @param delay before each answer in a delegated run
     */
    private BenchProvider(Duration delay, int deltas) {
        this.delay = delay;
        this.deltas = deltas;
    }

    /** Arguments: the delay in milliseconds and, if not the usual number, the deltas. Commands: see {@link HeldRuns}. */
    static void main(List<String> arguments) throws IOException, InterruptedException {
        BenchProvider models = new BenchProvider(
                Duration.ofMillis(Long.parseLong(arguments.get(0))),
                arguments.size() > 1 ? Integer.parseInt(arguments.get(1)) : DELTAS);
        try (LoopbackProvider provider = LoopbackProvider.start(ProviderOptions.DEFAULT.forLoad())) {
            provider.fallback(models::answer);
            System.out.println(provider.port());
            BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = commands.readLine(); line != null; line = commands.readLine()) {
                String[] words = line.split(" ", -1);
                switch (words[0]) {
                    case "shut" -> models.gate.shut();
                    case "await" -> models.gate.await(Integer.parseInt(words[1]));
                    default -> models.gate.open();
                }
                System.out.println(0);
            }
            models.gate.open();
        }
    }

    /** Return the requests of one run, as they reach a server. */
    static List<String> recorded(Function<String, Contender> contender) {
        try (LoopbackProvider provider = LoopbackProvider.start(ProviderOptions.DEFAULT)) {
            provider.fallback(new BenchProvider(Duration.ZERO, 1)::answer);
            try (Contender ours = contender.apply(provider.baseUrl())) {
                int before = provider.log().size();
                String answer = ours.run(Exchanges.RECORDED_MARKER);
                if (!answer.contains("done " + Exchanges.RECORDED_MARKER)) {
                    throw new IllegalStateException("The run that was recorded answered '" + answer + "'.");
                }
                return provider.log().stream()
                        .skip(before)
                        .map(exchange -> exchange.request().body())
                        .toList();
            }
        } catch (Exception e) {
            throw new IllegalStateException("The run could not be recorded.", e);
        }
    }

    private Reply answer(ReceivedRequest request) {
        String marker = marker(request);
        long turn = request.messages().stream()
                .filter(message -> message.role().equals("tool"))
                .count();
        boolean answered = request.messages().getLast().role().equals("tool");
        return switch (request.model()) {
            case "boss" ->
                call(marker + "_" + turn, "agent-helper", "{\"prompt\":\"part " + turn + " of " + marker + "\"}");
            case "helper" -> Reply.text(deltas("done " + marker));
            case "teller" -> Reply.repeated("word ", MANY_DELTAS - 1).andText("done " + marker);
            case "stepper" ->
                turn == STEPS - 1
                        ? Reply.text("done " + marker)
                        : call(marker + "_" + turn, "look", "{\"query\":\"part " + turn + " of " + marker + "\"}");
            case "supervisor" ->
                (answered
                                ? Reply.text(deltas("done " + marker))
                                : call(marker, "agent-worker", "{\"prompt\":\"work on " + marker + "\"}"))
                        .delay(delay);
            default -> worker(marker, answered).delay(delay);
        };
    }

    private ChatReply worker(String marker, boolean answered) {
        if (answered) {
            return Reply.text(deltas("found " + marker));
        }
        gate.pass();
        return call(marker, "look", "{\"query\":\"" + marker + "\"}");
    }

    private static ChatReply call(String id, String tool, String arguments) {
        return Reply.toolCalls(Reply.call("call_" + id, tool, arguments));
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

    private String[] deltas(String text) {
        String[] all = new String[deltas];
        for (int i = 0; i < deltas - 1; i++) {
            all[i] = "word" + i + " ";
        }
        all[deltas - 1] = text;
        return all;
    }

    /** Holds requests until it is opened. Open at first. Thread-safe. */
    private static final class Gate {

        private boolean shut;
        private int held;

        /** Hold what comes from now on. */
        synchronized void shut() {
            shut = true;
        }

        /** Wait until so many are held. */
        synchronized void await(int number) throws InterruptedException {
            while (held < number) {
                wait();
            }
        }

        /** Let all pass. */
        synchronized void open() {
            shut = false;
            notifyAll();
        }

        /** Pass, or wait until the gate is open. */
        synchronized void pass() {
            held++;
            notifyAll();
            try {
                while (shut) {
                    wait();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // the provider is being closed
            } finally {
                held--;
            }
        }
    }
}
