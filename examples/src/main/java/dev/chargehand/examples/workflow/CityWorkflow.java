package dev.chargehand.examples.workflow;

import dev.chargehand.Agent;
import dev.chargehand.RunResult;
import dev.chargehand.json.Description;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.tool.Tool;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.util.Map;
import java.util.function.Function;

/** A supervisor that decides between agents, a tool and a workflow; the workflow has the agents as steps, in a fixed order. */
public final class CityWorkflow {

    record City(@Description("The city to research") String city) {}

    record Report(String text) {}

    record Place(@Description("A city or another location") String location) {}

    private CityWorkflow() {}

    /** Run it against a real provider. */
    public static void main(String[] arguments) {
        ModelChoice model = ModelChoice.of(arguments.length > 0 ? arguments[0] : "openai/gpt-5-mini");
        Agent supervisor = supervisor(id -> model);
        RunResult result = supervisor.generate("Collect some historical facts about London.");
        System.out.println(result.text());
    }

    static Workflow<City, Report> workflow(Agent researcher, Agent writer) {
        Step<City, String> research = researcher.asStep(
                "research", City.class, (input, context) -> "Gather facts about the city " + input.city() + ".");
        Step<String, String> write = writer.asStep(
                "write", String.class, (facts, context) -> "Write a report from these facts:\n\n" + facts);
        return Workflow.from("city-workflow", City.class)
                .description(
                        "Handles city-specific research tasks. It first gathers factual information about the city, then"
                                + " writes a full report. Use it when the input names a city to be researched.")
                .then(research)
                .then(write)
                .map("report", Report.class, (text, context) -> new Report(text))
                .build(Report.class);
    }

    static Agent supervisor(Function<String, ModelChoice> models) {
        Agent researcher = Agent.builder("research-agent")
                .description("Gathers concise research insights in bullet points.")
                .model(models.apply("research-agent"))
                .build();
        Agent writer = Agent.builder("writing-agent")
                .description("Turns researched material into full paragraphs.")
                .model(models.apply("writing-agent"))
                .build();
        Tool weather = Tool.of(
                "weather-tool",
                "Returns the weather of a place. Use it whenever current weather is requested.",
                Place.class,
                (in, context) -> Map.of("weather", "sunny in " + in.location()));
        return Agent.builder("routing-agent")
                .instructions("You lead writers and researchers. Answer with a complete report in full paragraphs.")
                .model(models.apply("routing-agent"))
                .agents(researcher, writer)
                .workflows(workflow(researcher, writer))
                .tools(weather)
                .build();
    }
}
