package dev.chargehand.cli;

import dev.chargehand.cli.output.Visible;
import dev.chargehand.cli.setup.Hints;
import dev.chargehand.cli.shell.ExitCode;
import dev.chargehand.cli.shell.Logging;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.cli.shell.Terminal;
import dev.chargehand.config.AgentsFileReader;
import dev.chargehand.config.AgentsFileSchema;
import dev.chargehand.config.choice.KnownKeys;
import dev.chargehand.document.Variables;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.search.FileSearch;
import dev.chargehand.search.SuggestedQuestion;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code chargehand init}: creates a starter file, which works unchanged. */
@Command(
        name = "init",
        description =
                "Create a chargehand.yaml that works at once: agents that answer questions about the documents of a folder.",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Also creates chargehand.schema.json, with which editors complete and check the file. Overwrites nothing.",
            "Suggests a question that the documents answer, and on a terminal asks it if you want.",
            "",
            "Examples:",
            "  chargehand init",
            "  chargehand init notes"
        })
final class InitCommand implements Callable<Integer> {

    private static final int LONGEST = 500;

    private final Shell shell;

    @Parameters(
            arity = "0..1",
            paramLabel = "DIR",
            description = "The folder to create it in; created if missing. Default: the working directory.")
    private @Nullable Path dir;

    InitCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() throws InterruptedException {
        Logging.configure(false);
        Path folder = dir == null ? shell.folder() : shell.folder().resolve(dir).normalize();
        String docs = Files.isDirectory(folder.resolve("docs")) ? "docs" : ".";
        try {
            Files.createDirectories(folder);
            write(
                    folder.resolve(AgentsFileReader.NAME),
                    Resources.text("starter.yaml").replace("@DOCS@", docs));
            Path schema = folder.resolve(AgentsFileSchema.NAME);
            if (!Files.exists(schema)) {
                write(schema, AgentsFileSchema.text());
            }
        } catch (IOException e) {
            throw new ConfigurationException(
                    "Nothing can be written to the folder '" + folder + "' ("
                            + e.getClass().getSimpleName() + "). Is it a folder, and yours to write to?",
                    e);
        }
        Optional<String> question = report(folder, docs);
        if (question.isPresent() && shell.terminal() != null && isWanted(shell.terminal())) {
            Main.commandLine(shell.in(folder)).execute("run", question.get());
        }
        return ExitCode.COMPLETED; // the file is made, whatever the answer is
    }

    /** A model may cost something. */
    private static boolean isWanted(Terminal terminal) {
        return terminal.ask("Ask it now? Enter: yes, n: no > ")
                .filter(typed -> typed.isBlank() || typed.strip().matches("(?i)y|yes"))
                .isPresent();
    }

    private static void write(Path file, String text) throws IOException {
        try {
            Files.writeString(file, text, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        } catch (FileAlreadyExistsException e) {
            throw new ConfigurationException(
                    "There is a '" + file.getFileName() + "' already in '" + file.getParent()
                            + "', which was not changed. 'chargehand check' checks it.",
                    e);
        }
    }

    private Optional<String> report(Path folder, String docs) throws InterruptedException {
        print("Made " + AgentsFileReader.NAME + ", and " + AgentsFileSchema.NAME + " for your editor, in "
                + Visible.line(folder.toString(), LONGEST) + ".");
        Found looked = look(folder.resolve(docs));
        int found = looked.files();
        print(
                found == 0
                        ? "There are no documents in it to search: put the path of your documents behind" + " 'docs:'."
                        : found + (found == 1 ? " document" : " documents")
                                + (docs.equals(".") ? " in it" : " in its folder " + docs)
                                + " will be searched; put another folder behind 'docs:' to search that one.");
        print(KnownKeys.first(new Variables(shell.environment()))
                .map(key -> "The model will be " + key.model() + ", because " + key.variable() + " is set.")
                .orElse(
                        "No provider's key is set, so an offline stand-in replaces the model; set OPENAI_API_KEY, for example,"
                                + " and the same command uses a real one."));
        print("");
        print("Now try:");
        if (!folder.equals(shell.folder())) {
            print("  cd " + Visible.line(Hints.word(folder.toString()), LONGEST));
        }
        print("  chargehand run \"" + looked.question().orElse("What are these documents about?") + "\"");
        shell.out().flush();
        return looked.question();
    }

    /** How many documents there are, and a question that they answer. */
    private record Found(int files, Optional<String> question) {}

    private static Found look(Path folder) throws InterruptedException {
        try (FileSearch search = FileSearch.over(folder)) {
            return new Found(search.report().files(), SuggestedQuestion.of(search));
        }
    }

    private void print(String line) {
        shell.say(line);
    }
}
