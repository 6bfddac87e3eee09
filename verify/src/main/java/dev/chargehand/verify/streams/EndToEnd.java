package dev.chargehand.verify.streams;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.event.RunEvent;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.models.OpenAiCompatibleProvider;
import dev.chargehand.testkit.provider.LoopbackProvider;
import dev.chargehand.testkit.provider.ProviderOptions;
import dev.chargehand.testkit.provider.reply.Reply;
import dev.chargehand.testkit.provider.reply.WireReply;
import dev.chargehand.testkit.provider.request.ReceivedRequest;
import dev.chargehand.tool.Tool;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

/** Sends answers through a socket to an agent that has a tool. */
final class EndToEnd implements AutoCloseable {

    private final LoopbackProvider provider = LoopbackProvider.start(ProviderOptions.DEFAULT.forLoad());
    private final AgentRuntime runtime = AgentRuntime.builder()
            .providers(OpenAiCompatibleProvider.builder()
                    .provider("loop", provider.baseUrl(), "key")
                    .build())
            .build();
    private final Map<String, WireReply> replies = new ConcurrentHashMap<>();

    /** What the tool takes. */
    record Counted(int n, String s) {}

    EndToEnd() {
        provider.fallback(this::reply);
    }

    private Reply reply(ReceivedRequest request) {
        WireReply damaged = replies.remove(request.model());
        return damaged == null ? Reply.text("end") : damaged;
    }

    /** Let an agent hear the case as its model's first answer. */
    void check(
            long number,
            StreamCase stream,
            Decoded decoded,
            SplittableRandom random,
            BiConsumer<String, String> fault) {
        String model = "m" + number;
        replies.put(model, onWire(stream, random));
        AtomicInteger executed = new AtomicInteger();
        Agent agent = runtime.bind(agent(model, executed));
        List<RunEvent> events = new ArrayList<>();
        RunResult result;
        try (RunStream run = agent.stream("Go", options -> options.retries(0).maxSteps(2))) {
            run.forEach(events::add);
            result = run.result();
        } catch (RunFailedException e) {
            result = e.result();
        }
        if (executed.get() > (decoded.runsTools() ? calls(decoded) : 0)) {
            fault.accept("ran", "the tool ran " + executed + " times, and the answer is " + decoded);
        }
        ends(events, fault);
        texts(events, decoded, result, fault);
    }

    private static Agent agent(String model, AtomicInteger executed) {
        return Agent.builder("fuzzed")
                .model("loop/" + model)
                .tools(Tool.of(
                        MeantAnswers.TOOL, "Counts.", Counted.class, (in, context) -> executed.incrementAndGet()))
                .build();
    }

    private static WireReply onWire(StreamCase stream, SplittableRandom random) {
        String type = stream.mediaType().isEmpty() ? "application/octet-stream" : stream.mediaType();
        WireReply reply = Reply.sse().header("Content-Type", type).body(stream.bytes(), 1);
        WireReply cut = random.nextBoolean() ? reply.chunkSplit(1 + random.nextInt(500)) : reply;
        return stream.breaks() ? cut.hangUp() : cut;
    }

    private static long calls(Decoded decoded) {
        ModelResponse answer = decoded.answer();
        return answer == null ? 0 : answer.toolCalls().size();
    }

    private static void ends(List<RunEvent> events, BiConsumer<String, String> fault) {
        long ends = events.stream().filter(RunEvent.RunFinish.class::isInstance).count();
        if (ends != 1 || !(events.getLast() instanceof RunEvent.RunFinish)) {
            fault.accept("wrong", "the events do not end with the only run-finish: " + events);
        }
    }

    /** The text of the first step is the answer's, emitted once; so is the result's, if there was no other step. */
    private static void texts(
            List<RunEvent> events, Decoded decoded, RunResult result, BiConsumer<String, String> fault) {
        ModelResponse answer = decoded.answer();
        if (answer == null) {
            return;
        }
        StringBuilder told = new StringBuilder();
        for (RunEvent event : events) {
            if (event instanceof RunEvent.TextDelta delta && delta.step() == 1) {
                told.append(delta.text());
            }
        }
        String text = wellFormed(answer.text());
        if (!wellFormed(told.toString()).equals(text)) {
            fault.accept("duplicated", "told <" + told + ">, answered <" + text + ">");
        }
        if (result.steps().size() == 1 && !wellFormed(result.text()).equals(text)) {
            fault.accept("wrong", "the result is <" + result.text() + ">, answered <" + text + ">");
        }
    }

    /** Half a character cannot be stored or sent: what stands for it may differ. */
    private static String wellFormed(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        runtime.close();
        provider.close();
    }
}
