package dev.chargehand.examples;

import dev.chargehand.Agent;
import dev.chargehand.RunResult;
import java.io.PrintStream;

/** US-4: savings by a bail. The analyst's report is the answer; no model call repeats it. */
public final class BailSavings {

    private static final String TASK = "Analyse the sales of the last quarter: 120, 95 and 180 units.";

    private BailSavings() {}

    /** Run it twice against a real provider. */
    public static void main(String[] arguments) {
        compare(supervisor(Models.named(arguments)), System.out);
    }

    static Agent supervisor(String model) {
        Agent analyst = Agent.builder("data-analyst")
                .description("Analyses figures; returns a report that ends with '## Conclusion'.")
                .instructions("Write a short report in Markdown. Its last section is '## Conclusion'.")
                .model(model)
                .build();
        return Agent.builder("supervisor")
                .instructions("Hand figures to data-analyst, then give the user its whole report.")
                .model(model)
                .agents(analyst)
                .build();
    }

    static RunResult withBail(Agent supervisor) {
        return supervisor.generate(
                TASK, o -> o.onDelegationComplete(d -> d.text().contains("## Conclusion") ? d.bail() : d.accept()));
    }

    static void compare(Agent supervisor, PrintStream out) {
        RunResult told = supervisor.generate(TASK);
        RunResult bailed = withBail(supervisor);
        out.println("without bail: " + told.totalUsage());
        out.println("with bail:    " + bailed.totalUsage() + " " + bailed.stopReason());
        long whole = told.totalUsage().totalTokens();
        long saved = whole - bailed.totalUsage().totalTokens();
        out.println("saved:        " + saved + " of " + whole + " tokens (" + 100 * saved / Math.max(1, whole) + " %)");
    }
}
