package org.example.desk;

import dev.chargehand.Agent;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.tool.Tool;
import dev.chargehand.tool.ToolContext;
import dev.chargehand.tool.ToolFailureException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The agent that checks and publishes drafts, and its tools. */
final class Editor {

    private static final String MODEL = "openai/gpt-5-mini";
    private static final Path DRAFTS = Path.of("drafts");
    private static final Path PUBLISHED = Path.of("published");

    record Draft(String name) {}

    record Nothing() {}

    private Editor() {}

    static Agent agent() {
        Tool list = Tool.of("list-drafts", "Returns the names of the drafts.", Nothing.class, (in, context) -> names());
        Tool check = Tool.builder("check-draft", "Checks a draft: counts its words and lists what is left to do.")
                .input(Draft.class)
                .repeatable() // after a crash it is executed again
                .handler((in, context) -> checked(in.name(), context))
                .build();
        Tool publish = Tool.builder("publish-draft", "Publishes a draft.")
                .input(Draft.class)
                .requiresApproval()
                .repeatable() // the same copy again changes nothing
                .handler((in, context) -> published(in.name()))
                .build();
        return Agent.builder("editor")
                .description("Checks and publishes drafts.")
                .instructions("Check a draft before you publish it. Do not publish one that has something left to do.")
                .model(hasKey() ? ModelChoice.of(MODEL) : ModelChoice.of(new OfflineModel()))
                .tools(list, check, publish)
                .build();
    }

    /** Returns which model answers, for the screen. */
    static String description() {
        return hasKey()
                ? "The editor uses " + MODEL + "."
                : "OPENAI_API_KEY is not set: a few rules replace the model. They check and publish the draft that the prompt names.";
    }

    private static boolean hasKey() {
        return System.getenv("OPENAI_API_KEY") != null;
    }

    private static List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(DRAFTS)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    /** Takes some seconds, as a check of spelling and links would: 3, or the value of the property {@code check.seconds}. */
    private static String checked(String name, ToolContext context) throws IOException, InterruptedException {
        String text = Files.readString(draft(name));
        context.emit("progress", "checks in process " + ProcessHandle.current().pid()); // an event, in order with the others
        Thread.sleep(Duration.ofSeconds(Integer.getInteger("check.seconds", 3)));
        long words = Arrays.stream(text.split("\\W+"))
                .filter(word -> !word.isEmpty())
                .count();
        return words + " words, " + (text.contains("TODO") ? "something is left to do" : "nothing is left to do");
    }

    private static String published(String name) throws IOException {
        Path draft = draft(name);
        Files.createDirectories(PUBLISHED);
        return "Published as " + Files.copy(draft, PUBLISHED.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    }

    /** A model may write any name: only those of the folder are accepted. */
    private static Path draft(String name) throws IOException {
        if (!names().contains(name)) {
            throw new ToolFailureException("There is no draft '" + name + "'; there are " + names() + ".");
        }
        return DRAFTS.resolve(name);
    }
}
