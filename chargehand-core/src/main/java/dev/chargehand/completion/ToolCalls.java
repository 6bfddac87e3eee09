package dev.chargehand.completion;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.step.ToolOutcome;
import dev.chargehand.tool.Tool;
import java.util.List;

/** Scores by the tools that were called. */
final class ToolCalls {

    private ToolCalls() {}

    static Scorer called(String name) {
        return Scorer.of(Texts.named("toolCalled", valid("toolCalled", name)), context -> {
            List<ToolOutcome> calls = of(name, context);
            if (calls.stream().anyMatch(ToolCalls::succeeded)) {
                return Score.pass();
            }
            return Score.fail(
                    calls.isEmpty()
                            ? "The tool '" + name + "' was not called; call it before you answer."
                            : "The tool '" + name + "' was called, but never with success; call it again, with other"
                                    + " arguments if they were the reason.");
        });
    }

    static Scorer notCalled(String name) {
        return Scorer.of(Texts.named("toolNotCalled", valid("toolNotCalled", name)), context -> {
            long calls = of(name, context).stream().filter(ToolCalls::succeeded).count();
            return calls == 0
                    ? Score.pass()
                    : Score.fail("The tool '" + name + "' must not be called for this task, but was called "
                            + (calls == 1 ? "once" : calls + " times") + ", which cannot be taken back.");
        });
    }

    private static List<ToolOutcome> of(String name, ScorerContext context) {
        return context.toolResults().stream()
                .filter(outcome -> outcome.toolName().equals(name))
                .toList();
    }

    private static boolean succeeded(ToolOutcome outcome) {
        return outcome.output().isPresent();
    }

    private static String valid(String scorer, String name) {
        if (!Tool.isValidName(name)) {
            throw new ConfigurationException("Scorer '" + scorer + "': no tool can be named '" + name
                    + "'; a name has 1 to 64 letters, digits, '_' or '-', and a sub-agent's is agent-<key>.");
        }
        return name;
    }
}
