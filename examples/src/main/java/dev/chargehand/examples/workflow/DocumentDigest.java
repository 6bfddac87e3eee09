package dev.chargehand.examples.workflow;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.json.Description;
import dev.chargehand.json.JsonType;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.run.Limit;
import dev.chargehand.workflow.Backoff;
import dev.chargehand.workflow.Each;
import dev.chargehand.workflow.Outcome;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import dev.chargehand.workflow.WorkflowResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A digest of many documents: an agent reads each of them, at most four at once, and another one writes the digest. */
public final class DocumentDigest {

    /** How many documents are read at once, so that the provider's rate limit is not reached. */
    static final int AT_ONCE = 4;

    private static final JsonType<List<Document>> DOCUMENTS = new JsonType<>() {};

    record Document(String name, String text) {}

    record Summary(
            @Description("The document in one sentence") String sentence) {}

    record Notes(List<String> read, List<String> failed) {}

    private DocumentDigest() {}

    /** Run it against a real provider. */
    public static void main(String[] arguments) {
        String model = arguments.length > 0 ? arguments[0] : "openai/gpt-5-mini";
        List<Document> documents = List.of(
                new Document("a.md", "Runs are stored after each step."), new Document("b.md", "A step may wait."));
        System.out.println(digest(workflow(ModelChoice.of(model), ModelChoice.of(model)), documents)
                .output());
    }

    static Workflow<List<Document>, String> workflow(ModelChoice reading, ModelChoice writing) {
        Agent reader = Agent.builder("reader")
                .instructions("Summarise the document in one sentence.")
                .output(Summary.class)
                .model(reading)
                .build();
        Agent writer = Agent.builder("writer")
                .instructions("Write a digest of one paragraph from the notes.")
                .model(writing)
                .build();
        Step<Document, Summary> read = reader.asStep(
                        "read", Document.class, Summary.class, (document, context) -> document.text())
                .retries(1, Backoff.fixed(Duration.ofSeconds(1)));
        Step<Notes, String> write = writer.asStep(
                "write", Notes.class, (notes, context) -> String.join("\n", notes.read()) + missing(notes));
        return Workflow.from("digest", DOCUMENTS)
                .description("Reads documents and writes a digest of them.")
                .foreach(
                        "documents",
                        (documents, context) -> documents,
                        read,
                        Each.concurrency(AT_ONCE).collect())
                .map(
                        "notes",
                        Notes.class,
                        (outcomes, context) -> notes(context.input().as(DOCUMENTS), outcomes))
                .then(write)
                .build(String.class);
    }

    static WorkflowResult<String> digest(Workflow<List<Document>, String> workflow, List<Document> documents) {
        try (AgentRuntime runtime = AgentRuntime.builder().workflows(workflow).build()) {
            return runtime.run(
                    workflow, documents, o -> o.limit(Limit.MODEL_CALLS, 1_000).budget(b -> b.tokens(2_000_000)));
        }
    }

    private static Notes notes(List<Document> documents, List<Outcome<Summary>> outcomes) {
        List<String> read = new ArrayList<>();
        List<String> failed = new ArrayList<>();
        IntStream.range(0, documents.size()).forEach(i -> {
            String name = documents.get(i).name();
            switch (outcomes.get(i)) {
                case Outcome.Success<Summary> success ->
                    read.add(name + ": " + success.ok().sentence());
                case Outcome.Failure<Summary> ignored -> failed.add(name);
            }
        });
        return new Notes(read, failed);
    }

    private static String missing(Notes notes) {
        return notes.failed().isEmpty()
                ? ""
                : notes.failed().stream().collect(Collectors.joining(", ", "\nNot read: ", ""));
    }
}
