package dev.chargehand.cli.chat;

import dev.chargehand.cli.live.LineEditor;
import dev.chargehand.cli.live.Typed;
import dev.chargehand.cli.shell.Questioner;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** A user who edits lines at a terminal. */
final class LineEditorPartner implements ChatPartner, Questioner {

    private final LineEditor editor;

    LineEditorPartner(LineEditor editor) {
        this.editor = editor;
    }

    @Override
    public Typed next() {
        editor.print("");
        return editor.read();
    }

    @Override
    public void show(String text) {
        editor.show(text);
    }

    @Override
    public Questioner asked() {
        return this;
    }

    @Override
    public int columns() {
        return editor.columns();
    }

    @Override
    public void print(String line) {
        editor.print(line);
    }

    @Override
    public Optional<String> ask(String question, BooleanSupplier over) {
        return editor.ask(question, over);
    }

    @Override
    public String keys() {
        return "Alt-Enter, or a backslash at the end of a line, starts another line of a message; what is pasted stays"
                + " together. Up and Down bring back what was typed before, Tab completes commands. Ctrl-C interrupts"
                + " the agents, or throws away what was typed; Ctrl-D leaves. A message that starts with a slash is"
                + " written with two.";
    }
}
