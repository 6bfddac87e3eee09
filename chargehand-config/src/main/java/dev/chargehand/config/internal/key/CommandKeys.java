package dev.chargehand.config.internal.key;

import dev.chargehand.command.ArgumentType;
import dev.chargehand.document.Section;
import dev.chargehand.document.Setting;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The keys of a tool that runs a program. */
public final class CommandKeys {

    public static final Key<Setting> DESCRIPTION =
            Key.of("description", Shape.TEXT, "When and how to use it; the model decides by it.");

    public static final Key<Void> COMMAND = Key.of(
            "command",
            Shape.unread(Shape.schema("type", "array", "minItems", 1, "items", Shape.TEXT.schema()))
                    .with("examples", List.of(List.of("wc", "-w", "{file}"))),
            "The program and its arguments; {name} is replaced by an argument of the call.");

    public static final Key<Void> ARGUMENTS = Key.of(
            "arguments",
            Shape.sections("argument", "^[A-Za-z][A-Za-z0-9_]{0,63}$"),
            "The arguments of a call by name.");

    public static final Key<Boolean> APPROVAL = Key.of("approval", Shape.FLAG, "Whether every call waits for approval.")
            .orElse(true);

    public static final Key<Boolean> REPEATABLE = Key.of(
                    "repeatable", Shape.FLAG, "Whether a call that a crash interrupted may be repeated.")
            .orElse(false);

    public static final Key<Boolean> POLLING = Key.of(
                    "polling",
                    Shape.FLAG,
                    "Whether the model may make the same call many times in a row, to wait for something.")
            .orElse(false);

    public static final Key<Duration> TIMEOUT =
            Key.of("timeout", Shape.TIME, "The time limit of a call.").orElse("30s");

    public static final Key<Integer> MAX_OUTPUT = Key.of(
                    "maxOutput", Shape.from(1), "The maximum number of bytes of its output that a model receives.")
            .orElse(16384);

    public static final Key<Setting> FOLDER = Key.of(
            "folder", Shape.TEXT, "Its working directory, relative to this file; default the folder of this file.");

    public static final Key<List<Setting>> ENVIRONMENT = Key.of(
            "environment",
            Shape.TEXTS,
            "Environment variables that it gets in addition to PATH, HOME, LANG and similar ones. Keys are not among those.");

    public static final KeySection SECTION = KeySection.of(
                    "command",
                    "A tool that runs a program. No shell is involved: an argument of a call stays one word, regardless of its characters.",
                    DESCRIPTION,
                    COMMAND,
                    ARGUMENTS,
                    APPROVAL,
                    REPEATABLE,
                    POLLING,
                    TIMEOUT,
                    MAX_OUTPUT,
                    FOLDER,
                    ENVIRONMENT)
            .requiring(DESCRIPTION, COMMAND);

    /** The keys of an argument. */
    public static final class Argument {

        public static final Key<Setting> DESCRIPTION =
                Key.of("description", Shape.TEXT, "The meaning of the argument, for the model.");

        public static final Key<ArgumentType> TYPE = Key.of(
                        "type",
                        Shape.choice(
                                Map.entry("text", ArgumentType.TEXT),
                                Map.entry("integer", ArgumentType.INTEGER),
                                Map.entry("number", ArgumentType.NUMBER),
                                Map.entry("boolean", ArgumentType.BOOLEAN)),
                        "Its type.")
                .orElse("text");

        public static final Key<List<Setting>> VALUES = Key.of("values", Shape.TEXTS, "The only allowed texts.");

        public static final Key<Setting> DEFAULT = Key.of(
                "default",
                new Shape<>(Shape.schema("type", List.of("string", "number", "boolean")), Section::text),
                "The value if a call omits it; without a default every call must have it.");

        public static final KeySection SECTION = KeySection.of(
                        "argument", "An argument of a call.", DESCRIPTION, TYPE, VALUES, DEFAULT)
                .requiring(DESCRIPTION);

        private Argument() {}
    }

    private CommandKeys() {}
}
