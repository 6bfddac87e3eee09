package dev.chargehand.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.Usage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/**
 * Limits how many methods there are between {@link Agent#generate(String)} and {@link Model#ask}.
 *
 * <p>Every frame of ours between the two counts once, bodies of lambdas included; frames of the JDK and of this test do
 * not count, and neither does a method that was called on the way and has returned. A run changes threads twice: to its
 * own, and to the one on which the model is called. The stack of a thread that starts another is recorded when the new
 * thread is made: {@link Path} is inherited by it, and {@link Path#childValue} is called in the thread that makes it.
 * The whole path is the recorded stacks, first thread first, and the stack in the model.
 *
 * <p>Before JDK 24 models are called on threads of a pool, which may have been made for another call.
 */
@EnabledForJreRange(min = JRE.JAVA_24)
class CallPathTest {

    private static final int MOST_BETWEEN = 13; // one of them belongs to the stages of the kind of run

    private static final Path PATH = new Path();

    /** What led to the current thread: the stacks of the threads above it, outermost call first. */
    private static final class Path extends InheritableThreadLocal<List<String>> {

        @Override
        protected List<String> initialValue() {
            return List.of();
        }

        @Override
        protected List<String> childValue(List<String> above) {
            return andCurrentStack(above);
        }
    }

    private static List<String> andCurrentStack(List<String> above) {
        List<String> path = new ArrayList<>(above);
        Arrays.stream(new Throwable().getStackTrace())
                .filter(frame -> frame.getClassName().startsWith("dev.chargehand."))
                .filter(frame -> !frame.getClassName().startsWith(CallPathTest.class.getName()))
                .map(frame -> frame.getClassName() + "." + frame.getMethodName())
                .toList()
                .reversed()
                .forEach(path::add);
        return path;
    }

    private static final class Recording implements Model {

        private final List<String> path = new ArrayList<>();

        @Override
        public String name() {
            return "recording";
        }

        @Override
        public ModelResponse ask(ModelRequest request, ModelCall call) {
            path.addAll(andCurrentStack(PATH.get()));
            return ModelResponse.text("Done.", Usage.NONE);
        }
    }

    @Test
    void aPromptReachesItsModelInFewCalls() {
        Recording model = new Recording();
        try (AgentRuntime runtime = AgentRuntime.builder().build()) {
            PATH.get(); // a thread inherits what the one above it has a value of
            runtime.bind(Agent.builder("clerk").model(model).build()).generate("Hello");
        }
        assertThat(model.path)
                .startsWith("dev.chargehand.Agent.generate")
                .anyMatch(call -> call.endsWith(".Loop.advance"));
        assertThat(model.path.subList(1, model.path.size())).hasSizeLessThanOrEqualTo(MOST_BETWEEN);
    }
}
