package dev.chargehand.examples;

import dev.chargehand.Agent;
import dev.chargehand.RunResult;
import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Scorers;

/** US-1: a paper that is not done before it cites five sources; no human has to review the drafts. */
public final class ResearchPaper {

    private ResearchPaper() {}

    /** Run it against a real provider. */
    public static void main(String[] arguments) {
        RunResult paper = write(supervisor(Models.named(arguments)), "AI in education");
        System.out.println(paper.text() + "\n\n" + paper.stopReason().explanation());
        paper.completion().ifPresent(c -> c.scorers().forEach(System.out::println));
    }

    static Agent supervisor(String model) {
        Agent researcher = Agent.builder("researcher")
                .description("Gathers facts; returns bullet points, each with a source.")
                .model(model)
                .build();
        Agent writer = Agent.builder("writer")
                .description(
                        "Turns research into a paper that cites its sources as [1], [2] and lists them at the end.")
                .model(model)
                .build();
        return Agent.builder("supervisor")
                .instructions("Delegate to researcher for facts, then to writer, then give the user the whole paper.")
                .model(model)
                .agents(researcher, writer)
                .build();
    }

    static RunResult write(Agent supervisor, String subject) {
        return supervisor.generate(
                "Write a paper about " + subject, o -> o.maxSteps(20).completion(Completion.all(Scorers.citations(5))));
    }
}
