package dev.chargehand.store;

import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A run in memory, with its facts. Used under the store's lock. */
final class MemoryRun {

    final List<FactEntry> facts = new ArrayList<>();
    final Positions positions = new Positions();

    /** The other runs of its tree, if it is a root run. */
    final List<RunId> below = new ArrayList<>(0);

    RunRecord record;

    /** The deliveries to it and its waiting calls; null until there are some. */
    @Nullable
    MemoryInbox inbox;

    /** Whether its waiting calls are stored. */
    boolean indexed;

    /** Of a root run: the tree position of the last fact of its tree. */
    long treeLength;

    /** Of a root run: whether a run of its tree has an inbox. */
    boolean hasInboxes;

    /** Of a root run: how many deliveries to its tree are undrained, and how many of them wake. */
    long undrained;

    long wakes;

    MemoryRun(RunRecord record) {
        this.record = record;
    }

    MemoryInbox inbox() {
        MemoryInbox open = inbox;
        if (open == null) {
            open = new MemoryInbox();
            inbox = open;
        }
        return open;
    }

    /** Store what an append says about the inbox; the deliveries to a run that has ended count as read. */
    void drain(Append append, MemoryRun root) {
        if (!append.waits().isEmpty() || !append.waitsOver().isEmpty()) {
            inbox().waits(append.waits(), append.waitsOver());
        }
        if (inbox == null || (append.drains().isEmpty() && !append.status().isEnded())) {
            return;
        }
        for (MemoryInbox.Undrained each : inbox.undrained()) {
            Delivery delivery = each.delivery();
            if (append.status().isEnded() || append.drains().contains(delivery.id())) {
                inbox.drain(delivery.id());
                root.undrained--;
                root.wakes -= delivery.kind().wakes() ? 1 : 0;
            }
        }
    }

    /**
     * Return whether an append leaves a delivery unread that must be read before.
     *
     * @param tree the inboxes of all runs of the tree
     */
    boolean ignoresDelivery(Append append, List<MemoryInbox> tree) {
        boolean suspends = append.status() == RunStatus.SUSPENDED;
        for (MemoryInbox inbox : tree) {
            for (MemoryInbox.Undrained each : inbox.undrained()) {
                Delivery delivery = each.delivery();
                boolean mine = delivery.to().equals(append.runId());
                if (mine && append.drains().contains(delivery.id())) {
                    continue;
                }
                boolean wakes = suspends && delivery.kind().wakes() && (mine || append.isRoot());
                boolean unread = mine && append.readsAllMessages() && delivery.kind() == Delivery.Kind.MESSAGE;
                if (wakes || unread) {
                    return true;
                }
            }
        }
        return false;
    }
}
