package dev.chargehand.command;

import dev.chargehand.document.Mistakes;
import dev.chargehand.document.Position;
import dev.chargehand.document.Section;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.tool.Tool;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A tool that runs a program.
 *
 * <pre>{@code
 * CommandTool count = CommandTool.builder("count-words", "Counts the words of a file of the project.")
 *         .command("wc", "-w", "--", "{file}")
 *         .addArgument("file", "The path of the file.")
 *         .folder(Path.of("docs"))
 *         .approval(false)
 *         .build();
 * Agent editor = Agent.builder("editor").model("openai/gpt-5-mini").tools(count.tool()).build();
 * }</pre>
 *
 * <p>There is no shell: {@code {file}} in a word of the command is replaced by the argument, and the word remains one
 * word, regardless of its content. The program has an empty standard input and, of the environment, a few variables
 * without secrets and those that are named. The result is its output. With an exit code other than 0 the call has
 * failed. After the time limit, or when the run is cancelled, the program and its child processes are killed.
 *
 * <p>Immutable and thread-safe.
 */
public final class CommandTool {

    private final CommandDefinition definition;

    private CommandTool(CommandDefinition definition) {
        this.definition = definition;
    }

    /**
     * Start describing a tool.
     *
     * @param description when and how to use it; the model decides by it
     */
    public static Builder builder(String name, String description) {
        return new Builder(name, description);
    }

    /** Return the name of the tool. */
    public String name() {
        return definition.name();
    }

    /** Return the folder in which the program runs. */
    public Path folder() {
        return definition.folder();
    }

    /**
     * Check that the program can be found: in the folders of PATH, or from {@link #folder()} on if it is given with a
     * path. On Windows, which finds programs in further places, nothing is checked.
     *
     * @throws ConfigurationException if it is missing, or is no file that this process may execute
     */
    public void requireProgram() {
        String program = definition.command().getFirst();
        if (!Program.isFound(definition.folder(), program)) {
            throw definition
                    .at()
                    .error("the program '" + Section.shown(program) + "' of tool '" + name() + "' "
                            + (program.indexOf('/') < 0
                                    ? "is in no folder of PATH. Install it, or name its path."
                                    : "is no file in '" + definition.folder() + "' that may be executed. Correct the"
                                            + " path, or make the file executable."));
        }
    }

    /** Return whether every call waits for approval. */
    public boolean approval() {
        return definition.approval();
    }

    /** Make the tool, with variables of this process's environment. */
    public Tool tool() {
        return tool(System::getenv);
    }

    /**
     * Make the tool, with variables of another environment. They are read now.
     *
     * @param environment returns the value of a variable, or null if it is not set
     */
    public Tool tool(Function<String, @Nullable String> environment) {
        return ProgramTool.of(definition, environment);
    }

    /** Builds a {@link CommandTool}. Not thread-safe. */
    public static final class Builder {

        private final CommandOptions options;

        private Builder(String name, String description) {
            this.options = new CommandOptions(name, description);
            options.common.given("description", description);
        }

        /**
         * Set the program and its arguments. {@code {name}} is replaced by an argument of the call. The first word is
         * the program, which no argument can choose. Required.
         */
        public Builder command(String... words) {
            options.command = List.of(words);
            return this;
        }

        /** Add an argument of a call: a text, which every call must have. */
        public Builder addArgument(String name, String description) {
            return addArgument(name, description, unchanged -> {});
        }

        /** Add an argument of a call, with options of its own. */
        public Builder addArgument(String name, String description, Consumer<ArgumentOptions> itsOptions) {
            ArgumentOptions argument = new ArgumentOptions(options.common.given("description", description));
            itsOptions.accept(argument);
            if (options.arguments.put(options.common.given("arguments", name), argument) != null) {
                throw new ConfigurationException(
                        options.common.what() + ": argument '" + name + "' is added twice; names must be unique.");
            }
            return this;
        }

        /** Set whether every call waits for approval. Default: true. */
        public Builder approval(boolean every) {
            options.approval = every;
            return this;
        }

        /** Set whether a call that a crash interrupted may be repeated. Default: false. */
        public Builder repeatable(boolean value) {
            options.repeatable = value;
            return this;
        }

        /** Set whether a model may make the same call many times in a row, to wait for something. Default: false. */
        public Builder polling(boolean value) {
            options.polling = value;
            return this;
        }

        /** Set the time limit of a call, above zero. Default: 30 s. */
        public Builder timeout(Duration limit) {
            options.common.timeout(limit);
            return this;
        }

        /** Set the maximum number of bytes of the output that a model receives. Default: 16,384. */
        public Builder maxOutput(int bytes) {
            options.common.maxOutput(bytes);
            return this;
        }

        /** Set the folder in which the program runs; it must exist. Default: the working directory of this process. */
        public Builder folder(Path folder) {
            options.folder = options.common.given("folder", folder).toAbsolutePath();
            return this;
        }

        /**
         * Name the environment variables that the program gets in addition to PATH, HOME, LANG and similar ones,
         * replacing those so far. Default: none.
         */
        public Builder environment(String... names) {
            options.environment = List.of(names);
            return this;
        }

        /**
         * State where an option was given, for a program that reads it from a file of its own. Mistakes are reported at
         * that place.
         *
         * @param option such as {@code command}, {@code command.1} for a word of it, {@code arguments.file} or
         *     {@code arguments.file.default}; empty for all options without a place of their own
         */
        public Builder at(String option, Position position) {
            options.common.at(option, position);
            return this;
        }

        /**
         * Check everything and build.
         *
         * @throws ConfigurationException if something is wrong; its message has a line for each mistake
         */
        public CommandTool build() {
            return options.common.require(this::build);
        }

        /**
         * Build, and add all mistakes to those of a file. If there are any, the result serves for further checks, not
         * for calls.
         */
        public CommandTool build(Mistakes mistakes) {
            return new CommandTool(options.checked(mistakes));
        }
    }

    /** Options of one argument. Not thread-safe. */
    public static final class ArgumentOptions {

        final String description;
        ArgumentType type = ArgumentType.TEXT;
        List<String> values = List.of();

        @Nullable
        String defaultValue;

        ArgumentOptions(String description) {
            this.description = description;
        }

        /** Set its type. Default: {@link ArgumentType#TEXT}. */
        public ArgumentOptions type(ArgumentType value) {
            this.type = value;
            return this;
        }

        /** Set the only texts that are allowed. Default: any. */
        public ArgumentOptions values(String... texts) {
            this.values = List.of(texts);
            return this;
        }

        /** Set the value if a call omits it, as text. Default: every call must have it. */
        public ArgumentOptions defaultValue(String value) {
            this.defaultValue = value;
            return this;
        }
    }
}
