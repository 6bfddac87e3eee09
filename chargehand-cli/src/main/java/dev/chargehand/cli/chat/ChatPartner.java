package dev.chargehand.cli.chat;

import dev.chargehand.cli.live.Typed;
import dev.chargehand.cli.shell.Questioner;
import org.jspecify.annotations.Nullable;

/** The user's side of a conversation: the source of messages, and the output of notices. */
interface ChatPartner {

    /** Return what is typed next. */
    Typed next();

    /** Report something; a long line may be broken. */
    void show(String text);

    /** Return the user who can be asked, or null if there is none. */
    @Nullable
    Questioner asked();

    /** Show the keys and their effects. */
    String keys();
}
