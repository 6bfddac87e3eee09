package dev.chargehand.verify.memory;

import dev.chargehand.AgentRuntime;
import dev.chargehand.memory.ScopeRef;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import dev.chargehand.thread.ThreadOwner;
import java.util.ArrayList;
import java.util.List;

/** Threads that are long enough to be deleted while they are indexed. */
final class Fills {

    static final ThreadOwner OWNER = ThreadOwner.of("r0");

    private static final int MESSAGES = 150;
    private static final int FEWER_MESSAGES = 75;

    /** So long that a message has two passages. */
    private static final String LONG = " apples and pears are in the garden.".repeat(80);

    private Fills() {}

    static String thread(int number) {
        return "filled-" + number;
    }

    /** Fill a thread, note something in its working memory, and talk in it; a repeated call does nothing. */
    static void fill(AgentRuntime runtime, int number) {
        var ignored = runtime.threads().append(OWNER, thread(number), messages(number, "filled", MESSAGES));
        note(runtime, number);
        talk(runtime, number, "filled");
    }

    private static void note(AgentRuntime runtime, int number) {
        var ignored = runtime.memory()
                .editWorkingMemory(ScopeRef.thread(OWNER, thread(number)), text -> text + "noted", "note");
    }

    /** Make a thread again that was deleted, with fewer messages. */
    static void fillAgain(AgentRuntime runtime, int number) {
        var ignored = runtime.threads().append(OWNER, thread(number), messages(number, "again", FEWER_MESSAGES));
        talk(runtime, number, "again");
    }

    private static List<Message> messages(int number, String when, int count) {
        List<Message> messages = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String id = thread(number) + "-" + when + "-" + i;
            messages.add(new Message(id, Role.USER, List.of(new Part.Text("This is " + id + ":" + LONG)), false));
        }
        return messages;
    }

    private static void talk(AgentRuntime runtime, int number, String when) {
        Turn turn = new Turn(2, 4); // it is said by the owner of the threads
        Talks.withPatience(() -> runtime.agent(Owner.LEAD)
                .generate(
                        turn.question() + " " + thread(number) + " " + when,
                        o -> o.thread(thread(number)).resource("r0").idempotencyKey("fill-" + number + "-" + when)));
    }
}
