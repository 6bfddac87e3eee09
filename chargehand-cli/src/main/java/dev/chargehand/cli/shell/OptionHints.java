package dev.chargehand.cli.shell;

import dev.chargehand.config.choice.CrewOption;
import dev.chargehand.config.choice.CrewOptionException;
import dev.chargehand.config.choice.ModelNote;
import dev.chargehand.error.ChargehandException;
import dev.chargehand.error.MemoryException;

/** Names the options of the command that avoid an error, or that change a choice. */
public final class OptionHints {

    private OptionHints() {}

    /** Return a sentence to append to an error; empty for none. */
    static String of(ChargehandException e) {
        if (e instanceof MemoryException memory && memory.kind() == MemoryException.Kind.NEEDS_RESOURCE) {
            return " Name it with --resource, or set 'scope: thread' in chargehand.yaml.";
        }
        return e instanceof CrewOptionException avoidable ? of(avoidable.option()) : "";
    }

    private static String of(CrewOption option) {
        return switch (option) {
            case AGENT -> " --agent names one.";
            case MODEL -> " --model sets the model of all agents.";
            case DOCUMENTS -> " --docs names another folder.";
            case STORE -> " --store names another store.";
        };
    }

    /** Return a note with the option that changes the choice. */
    public static String explain(ModelNote note) {
        return note.text()
                + switch (note.kind()) {
                    case KEY_FOUND -> "; --model offline uses the stand-in";
                    case OFFLINE_BY_DEFAULT -> "; set OPENAI_API_KEY or use --model provider/name for a real one";
                    case OFFLINE -> "";
                };
    }
}
