package dev.chargehand.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.internal.call.CallerContext;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.Usage;
import dev.chargehand.spi.ContextPropagator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Limits how many methods there are between {@link Agent#generate(String)} and {@link Model#ask}.
 *
 * <p>Every frame of ours between the two counts once, bodies of lambdas included; frames of the JDK and of this test do
 * not count, and neither does a method that was called on the way and has returned. A run has a thread of its own, on
 * which a model is called that returns when it was closed. The stack of the thread that starts it is recorded where the
 * context of the caller is captured, in {@link RunSurroundings#of}; what captures it does not count, and the start of
 * the thread, which comes later, counts once.
 */
class CallPathTest {

    private static final int MOST_BETWEEN = 13; // one of them belongs to the stages of the kind of run

    /** Has the context captured, and has returned when the thread starts. */
    private static final String PREPARES = RunStarter.class.getName() + ".prepared";

    private static final String THREAD_STARTS = LocalRun.class.getName() + ".start";

    /** Records what led to the thread of the run. */
    private static final class Start implements ContextPropagator {

        private final List<String> path = new ArrayList<>();

        @Override
        public Captured capture() {
            path.addAll(currentStack());
            path.removeIf(call -> call.startsWith(RunSurroundings.class.getName() + ".")
                    || call.startsWith(CallerContext.class.getName() + ".")
                    || call.equals(PREPARES));
            path.add(THREAD_STARTS);
            return () -> () -> {};
        }
    }

    /** Return our calls on this thread, the outermost first. */
    private static List<String> currentStack() {
        return Arrays.stream(new Throwable().getStackTrace())
                .filter(frame -> frame.getClassName().startsWith("dev.chargehand."))
                .filter(frame -> !frame.getClassName().startsWith(CallPathTest.class.getName()))
                .map(frame -> frame.getClassName() + "." + frame.getMethodName())
                .toList()
                .reversed();
    }

    private static final class Recording implements Model {

        private final List<String> path = new ArrayList<>();

        @Override
        public String name() {
            return "recording";
        }

        @Override
        public boolean returnsWhenClosed() {
            return true;
        }

        @Override
        public ModelResponse ask(ModelRequest request, ModelCall call) {
            path.addAll(currentStack());
            return ModelResponse.text("Done.", Usage.NONE);
        }
    }

    @Test
    void aPromptReachesItsModelInFewCalls() {
        Recording model = new Recording();
        Start start = new Start();
        try (AgentRuntime runtime =
                AgentRuntime.builder().addContextPropagator(start).build()) {
            runtime.bind(Agent.builder("clerk").model(model).build()).generate("Hello");
        }
        List<String> path =
                Stream.concat(start.path.stream(), model.path.stream()).toList();
        assertThat(path)
                .startsWith("dev.chargehand.Agent.generate")
                .contains(THREAD_STARTS)
                .anyMatch(call -> call.endsWith(".Loop.advance"));
        assertThat(path.subList(1, path.size())).hasSizeLessThanOrEqualTo(MOST_BETWEEN);
    }
}
