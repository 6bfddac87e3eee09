package dev.chargehand.examples;

import dev.chargehand.Agent;
import dev.chargehand.RunResult;
import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Score;
import dev.chargehand.completion.Scorer;
import dev.chargehand.hook.ToolCallDecision;
import dev.chargehand.tool.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** US-2: a review that is not over before the linter is silent; the linter is the JDK's, the files are real. */
public final class CodeReview {

    static final String UNTIDY = """
            import java.util.ArrayList;
            import java.util.List;

            class Basket {
                private final List items = new ArrayList();

                void add(String item) {
                    items.add((String) item);
                }
            }
            """;

    record Source(String file) {}

    record Change(String file, String content) {}

    private CodeReview() {}

    /** Run it against a real provider, on a file in a new temporary folder. */
    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createTempDirectory("review");
        Files.writeString(folder.resolve("Basket.java"), UNTIDY);
        RunResult result = review(reviewer(Models.named(arguments), folder), folder);
        System.out.println(
                result.text() + "\n" + result.stopReason() + "\n" + Files.readString(folder.resolve("Basket.java")));
    }

    static Agent reviewer(String model, Path folder) {
        Tool read = Tool.of(
                "readFile",
                "Reads a Java file.",
                Source.class,
                (in, context) -> Files.readString(folder.resolve(in.file())));
        Tool write = Tool.of("writeFile", "Replaces a Java file.", Change.class, (in, context) -> Files.writeString(
                        folder.resolve(in.file()), in.content())
                .getFileName()
                .toString());
        Agent fixer = Agent.builder("fixer")
                .description("Fixes the problems that a linter reports in a Java file.")
                .instructions("Read the file, fix the reported problems, write the whole file, and list your changes.")
                .model(model)
                .tools(read, write)
                .defaultOptions(o -> o.beforeToolCall(call -> {
                    String file =
                            call.arguments().at("/file").orElseThrow().string().orElseThrow();
                    return file.matches("\\w+\\.java")
                            ? ToolCallDecision.allow()
                            : ToolCallDecision.deny("Only Java files of the folder may be touched.");
                }))
                .build();
        return Agent.builder("reviewer")
                .instructions("Have fixer correct Basket.java until the linter reports nothing, then sum up.")
                .model(model)
                .agents(fixer)
                .build();
    }

    static RunResult review(Agent reviewer, Path folder) {
        JavaLint javac = new JavaLint(folder);
        Scorer lint = Scorer.of("lint", run -> {
            List<String> problems = javac.problems();
            return problems.isEmpty() ? Score.pass() : Score.fail(String.join("\n", problems));
        });
        return reviewer.generate("Review Basket.java", o -> o.maxSteps(12).completion(Completion.all(lint)));
    }
}
