package dev.chargehand.examples;

import dev.chargehand.Agent;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.json.Description;
import dev.chargehand.json.Json;
import dev.chargehand.run.StructuredOutput;
import java.util.List;
import java.util.function.Consumer;

/** A typed analysis, after delegations, seen while it is arriving. */
public final class TypedAnalysis {

    private TypedAnalysis() {}

    record Analysis(
            @Description("A brief summary of the findings") String summary,
            @Description("List of recommendations") List<String> recommendations,
            @Description("Confidence score, from 0 to 1") double confidence) {}

    /** Run it against a real provider. */
    public static void main(String[] arguments) {
        Agent analyst = analyst(Models.named(arguments));
        Analysis analysis = watch(analyst, partial -> System.err.println("so far: " + partial));
        System.out.println(analysis.summary());
        analysis.recommendations().forEach(each -> System.out.println("- " + each));
        System.out.println("confidence: " + analysis.confidence());
    }

    static Agent analyst(String model) {
        Agent researcher = Agent.builder("researcher")
                .description("Knows the figures of markets.")
                .instructions("Give figures and where they are from.")
                .model(model)
                .build();
        return Agent.builder("analyst")
                .instructions("Analyse markets. Ask the researcher for figures first.")
                .model(model)
                .agents(researcher)
                .build();
    }

    static Analysis watch(Agent analyst, Consumer<Json> partial) {
        try (RunStream run = analyst.stream("Analyse the market", o -> o.structuredOutput(Analysis.class))) {
            run.objectStream().forEach(partial);
            return run.result().object(Analysis.class);
        }
    }

    static Analysis analyse(Agent analyst) {
        RunResult.Typed<Analysis> answer = analyst.generate("Analyse the market", Analysis.class);
        Analysis analysis = answer.value();
        return analysis;
    }

    static Analysis analyseLeniently(Agent analyst) {
        StructuredOutput lenient = StructuredOutput.of(Analysis.class)
                .fallback(new Analysis("Nothing is known.", List.of(), 0))
                .structuredBy("openai/gpt-5-nano");
        return analyst.generate("Analyse the market", o -> o.structuredOutput(lenient))
                .object(Analysis.class);
    }
}
