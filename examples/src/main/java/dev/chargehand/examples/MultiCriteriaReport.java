package dev.chargehand.examples;

import dev.chargehand.Agent;
import dev.chargehand.RunResult;
import dev.chargehand.completion.Completion;
import dev.chargehand.completion.CompletionResult;
import dev.chargehand.completion.Rubric;
import dev.chargehand.completion.Score;
import dev.chargehand.completion.Scorer;
import dev.chargehand.completion.Scorers;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.run.StopReason;
import java.util.function.Consumer;

/** US-6: a report that has to be long enough, well built, cited and sound; or an honest "I do not know". */
public final class MultiCriteriaReport {

    private MultiCriteriaReport() {}

    /** Run it against a real provider, which judges too. */
    public static void main(String[] arguments) {
        String model = Models.named(arguments);
        RunResult result = write(reporter(model), report(model).onComplete(c -> print(c, System.err::println)));
        System.out.println(result.text() + "\n\n" + verdict(result));
    }

    static Agent reporter(String model) {
        return Agent.builder("reporter")
                .instructions("Write reports in Markdown.")
                .model(model)
                .build();
    }

    /** Every criterion; the cheap ones first, so that no judge is paid for a draft that lacks a section. */
    static Completion report(String judge) {
        return Completion.all(
                        Scorers.minLength(200),
                        Scorers.contains("## Findings", "## Recommendations").withName("structure"),
                        Scorers.citations(2),
                        Rubric.of(ModelChoice.of(judge))
                                .required("support", "Every finding has a source.")
                                .optional("style", "The language is plain."))
                .inSequence();
    }

    /** One of two is enough: an answer with sources, or one that admits that there is none. */
    static Completion honestAnswer() {
        Scorer admits = Scorer.of(
                "admits",
                run -> run.text().contains("I do not know")
                        ? Score.pass()
                        : Score.fail("Without a source, say: I do not know."));
        return Completion.any(Scorers.citations(1), admits);
    }

    static RunResult write(Agent reporter, Completion completion) {
        return reporter.generate("Report on heat pumps in old houses", o -> o.completion(completion));
    }

    static void print(CompletionResult scored, Consumer<String> out) {
        scored.scorers()
                .forEach(s -> out.accept(
                        (s.passed() ? "passed " : "failed ") + s.scorer() + " " + s.score() + " " + s.reason()));
    }

    static String verdict(RunResult result) {
        return switch (result.stopReason()) {
            case StopReason.TaskComplete done ->
                "complete after " + result.steps().size() + " steps";
            case StopReason.TaskIncomplete failed -> "incomplete";
            default -> result.stopReason().explanation();
        };
    }
}
