package dev.chargehand.verify.memory;

import dev.chargehand.AgentRuntime;
import dev.chargehand.TenantRuntime;
import dev.chargehand.Wakeups;
import dev.chargehand.error.StoreException;
import dev.chargehand.memory.FoundMessage;
import dev.chargehand.memory.ScopeRef;
import dev.chargehand.thread.ThreadMessage;
import dev.chargehand.verify.harness.Tally;
import dev.chargehand.verify.stores.StorePlace;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Looks whether everything that was said is remembered once, by its owner.
 *
 * @param ofEach how many turns each process has made
 */
record TalkCheck(StorePlace place, Rows rows, int ofEach, Tally tally) {

    private static final int FOUND = 4;

    void check() throws SQLException {
        try (AgentRuntime runtime =
                new MemoryCrew(what -> tally.addFault("foreign", what)).runtime(place.open(), Wakeups.off())) {
            Settling.await(runtime, rows, tally);
            Indexed indexed = new Indexed(rows.vectors(), tally);
            Set<String> checked = new HashSet<>();
            for (Turn turn : Turn.all(ofEach)) {
                tally.addCase();
                TenantRuntime tenant = runtime.forTenant(turn.owner().tenant());
                remembered(tenant, indexed, checked, turn, turn.owner(), turn.question(), turn.answer());
                if (turn.isDelegated()) {
                    remembered(tenant, indexed, checked, turn, turn.owner().clerk(), turn.prompt(), turn.result());
                }
            }
            indexed.checkNothingElse();
        }
    }

    private void remembered(
            TenantRuntime runtime,
            Indexed indexed,
            Set<String> checked,
            Turn turn,
            Owner owner,
            String asked,
            String said) {
        String threadId = owner.thread(turn.conversation());
        List<ThreadMessage> messages = Indexed.messages(runtime, owner.stored(), threadId);
        if (checked.add(owner + threadId)) {
            indexed.check(owner.tenant(), threadId, messages);
            messages.forEach(message -> ofOwner(owner, message.message().text(), "thread"));
        }
        for (String text : List.of(asked, said)) {
            once(
                    messages.stream()
                            .filter(message -> message.message().text().equals(text))
                            .count(),
                    owner,
                    text);
            found(runtime, owner, threadId, text);
        }
        for (String ofOther : List.of(turn.bait().question(), turn.bait().result())) {
            List<FoundMessage> ignored = search(runtime, owner, ofOther);
        }
        String note = turn.note(owner);
        String notes = runtime.memory()
                .workingMemory(new ScopeRef(owner.stored(), null))
                .map(newest -> newest.text())
                .orElse("");
        once(notes.lines().filter(note::equals).count(), owner, "note " + note);
        ofOwner(owner, notes, "working memory");
    }

    private void once(long times, Owner owner, String text) {
        if (times != 1) {
            tally.addFault(times == 0 ? "lost" : "doubled", owner + " has " + times + " times: " + text);
        }
    }

    private void found(TenantRuntime runtime, Owner owner, String threadId, String text) {
        long times = search(runtime, owner, text).stream()
                .filter(one -> one.threadId().equals(threadId)
                        && one.message().message().text().equals(text))
                .count();
        if (times != 1) {
            tally.addFault(times == 0 ? "lost" : "doubled", owner + " finds " + times + " times: " + text);
        }
    }

    private List<FoundMessage> search(TenantRuntime runtime, Owner owner, String text) {
        try {
            List<FoundMessage> found =
                    runtime.memory().search(owner.agent(), new ScopeRef(owner.stored(), null), text, FOUND);
            found.forEach(one -> ofOwner(owner, one.message().message().text(), "search"));
            return found;
        } catch (StoreException e) { // that of a store that returns the messages of others
            tally.addFault("foreign", "the search of " + owner + " failed: " + e.getMessage());
            return List.of();
        }
    }

    private void ofOwner(Owner owner, String text, String where) {
        for (Owner other : Owner.in(text)) {
            if (!other.equals(owner)) {
                tally.addFault("foreign", "the " + where + " of " + owner + " has: " + text);
            }
        }
    }
}
