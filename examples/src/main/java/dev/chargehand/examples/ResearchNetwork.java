package dev.chargehand.examples;

import dev.chargehand.Agent;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.event.RunEvent;
import dev.chargehand.hook.IterationDecision;
import dev.chargehand.json.Description;
import dev.chargehand.json.Json;
import dev.chargehand.tool.Tool;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** A network of a researcher, a writer and a tool, and the supervisor that does the same. */
@SuppressWarnings("deprecation") // networks are shown for those who come from one
public final class ResearchNetwork {

    record Place(@Description("A city or another location") String location) {}

    record Findings(
            @Description("A brief summary of the findings") String summary,
            @Description("List of recommendations") List<String> recommendations,
            @Description("Confidence score, from 0 to 1") double confidence) {}

    private ResearchNetwork() {}

    /** Run it against a real provider. */
    public static void main(String[] arguments) {
        Tool weather = Tool.of(
                "weather-tool",
                "Returns the weather of a place. Use it for questions about the current weather.",
                Place.class,
                (in, context) -> Map.of("weather", "sunny in " + in.location()));
        Agent router = router(Models.named(arguments), weather);
        System.out.println(network(router, "What's the weather in London? Plan a day for it.", System.err::println));
    }

    static Agent router(String model, Tool weather) {
        Agent researcher = Agent.builder("research-agent")
                .description("Gathers concise research insights in bullet points.")
                .model(model)
                .build();
        Agent writer = Agent.builder("writing-agent")
                .description("Turns research into full paragraphs, for articles, summaries and blog posts.")
                .model(model)
                .build();
        return Agent.builder("routing-agent")
                .instructions("You lead researchers and writers. Answer with a complete report in full paragraphs.")
                .model(model)
                .agents(researcher, writer)
                .tools(weather)
                .build();
    }

    static String network(Agent router, String task, Consumer<String> log) {
        try (RunStream run = router.network(task, o -> o.thread("t").resource("u"))) {
            for (RunEvent event : run) {
                if (event instanceof RunEvent.RoutingAgentEnd decision) {
                    log.accept(decision.primitiveId() + ": " + decision.selectionReason());
                }
                if (event instanceof RunEvent.NetworkStepFinish step) {
                    log.accept("= " + step.text());
                }
            }
            return run.result().text();
        }
    }

    static String supervisor(Agent router, String task, Consumer<String> log) {
        try (RunStream run = router.stream(task, o -> {})) {
            for (RunEvent event : run) {
                if (event instanceof RunEvent.DelegationStart start) {
                    log.accept(start.agentId() + ": " + start.prompt());
                }
                if (event instanceof RunEvent.DelegationEnd end) {
                    log.accept("= " + end.text());
                }
            }
            return run.result().text();
        }
    }

    static RunResult stopsAfterTheWriter(Agent router) {
        RunResult report = router.generateNetwork("Report on AI in schools", o -> o.thread("t")
                .maxSteps(5)
                .onIterationComplete(it -> it.subAgentsInvoked().contains("writing-agent")
                        ? IterationDecision.stop()
                        : IterationDecision.proceedWith("Keep going.")));
        return report;
    }

    static RunResult theWriterHasTheLastWord(Agent router) {
        RunResult report = router.generate("Report on AI in schools", o -> o.maxSteps(5)
                .onDelegationComplete(d -> d.key().equals("writing-agent") ? d.bail() : d.accept()));
        return report;
    }

    static Findings typed(Agent router, Consumer<Json> partial) {
        try (RunStream run =
                router.network("Research AI trends", o -> o.thread("t").structuredOutput(Findings.class))) {
            run.objectStream().forEach(partial);
            return run.result().object(Findings.class);
        }
    }
}
