package dev.chargehand.verify.server;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.Wakeups;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelDelta;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.Limit;
import dev.chargehand.run.Usage;
import dev.chargehand.store.Store;
import dev.chargehand.tool.Tool;
import dev.chargehand.verify.scripted.ConversationModel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;

/**
 * An agent that streams a text in each of its steps and calls a tool at the end of each but the last.
 *
 * @param steps how many
 * @param pieces how many deltas the text of a step has
 * @param length how many characters a delta has
 * @param pause the time between two deltas
 */
record TalkingCrew(int steps, int pieces, int length, Duration pause) {

    /** Twenty small deltas a second, for ten seconds. */
    static final TalkingCrew STEADY = new TalkingCrew(2, 100, 20, Duration.ofMillis(50));

    static final String AGENT = "talker";

    private static final String NOTE = "note";
    private static final Usage USAGE = Usage.of(10, 5);

    /** What the tool takes. */
    record Note(int step) {}

    /** Return how many characters the texts of a run have. */
    long characters() {
        return (long) steps * pieces * length;
    }

    /**
     * Make a runtime.
     *
     * @param starts a run takes a permit before its first step
     */
    AgentRuntime runtime(Store store, Semaphore starts) {
        return AgentRuntime.builder()
                .store(store)
                .wakeups(Wakeups.all())
                .providers()
                .agents(Agent.builder(AGENT)
                        .description("Talks.")
                        .model(new Talking(this, starts))
                        .defaultOptions(
                                options -> options.maxSteps(steps + 1).limit(Limit.OUTPUT_CHARACTERS, 2 * characters()))
                        .tools(Tool.of(NOTE, "Takes a note.", Note.class, (in, context) -> "ok"))
                        .build())
                .build();
    }

    private record Talking(TalkingCrew crew, Semaphore starts) implements Model {

        @Override
        public String name() {
            return AGENT;
        }

        @Override
        public ModelResponse ask(ModelRequest request, ModelCall call) throws InterruptedException {
            int step = ConversationModel.results(request.messages()).size() + 1;
            if (step == 1) {
                starts.acquire();
            }
            String piece = "x".repeat(crew.length());
            for (int i = 0; i < crew.pieces(); i++) {
                pause(crew.pause());
                call.delta(new ModelDelta.Text(piece));
            }
            String text = piece.repeat(crew.pieces());
            return step == crew.steps()
                    ? ModelResponse.text(text, USAGE)
                    : new ModelResponse(
                            text,
                            "",
                            List.of(ConversationModel.call(Integer.toString(step), NOTE, new Note(step))),
                            FinishReason.TOOL_CALLS,
                            USAGE);
        }

        private static void pause(Duration time) {
            long until = System.nanoTime() + time.toNanos();
            for (long left = time.toNanos(); left > 0; left = until - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
        }
    }
}
