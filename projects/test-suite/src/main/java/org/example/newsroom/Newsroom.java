package org.example.newsroom;

import dev.chargehand.Agent;
import dev.chargehand.tool.Tool;
import dev.chargehand.tool.ToolFailureException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** The code that is tested: an editor, who leads a researcher and a writer, and publishes with the approval of a human. */
public final class Newsroom {

    private static final String MODEL = "openai/gpt-5-mini";

    /** Where the researcher searches. */
    public interface Archive {
        List<String> search(String words) throws IOException, InterruptedException;
    }

    /** What prints an article; the same key twice prints it once. */
    public interface Press {
        void print(String text, String key);
    }

    record Search(String words) {}

    record Article(String text) {}

    private Newsroom() {}

    public static Agent editor(Archive archive, Press press) {
        Tool publish = Tool.builder("publish", "Publishes an article.")
                .input(Article.class)
                .requiresApproval()
                .handler((article, context) -> {
                    press.print(article.text(), context.idempotencyKey());
                    return "Published.";
                })
                .build();
        return Agent.builder("editor")
                .instructions("Let researcher find facts and writer write, then publish the article.")
                .model(MODEL)
                .agents(researcher(archive), writer())
                .tools(publish)
                .defaultOptions(options -> options.maxSteps(8))
                .build();
    }

    static Agent researcher(Archive archive) {
        Tool search = Tool.builder("search-archive", "Searches the archive.")
                .input(Search.class)
                .repeatable()
                .timeout(Duration.ofSeconds(30))
                .handler((in, context) -> {
                    try {
                        return archive.search(in.words());
                    } catch (IOException e) {
                        throw new ToolFailureException("The archive is closed. Say that there are no facts.", e);
                    }
                })
                .build();
        return Agent.builder("researcher")
                .description("Finds facts in the archive.")
                .instructions("Answer with facts of the archive only.")
                .model(MODEL)
                .tools(search)
                .build();
    }

    private static Agent writer() {
        return Agent.builder("writer")
                .description("Writes articles from facts.")
                .model(MODEL)
                .build();
    }
}
