package dev.chargehand.verify.workflows;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** What two processes, and those that replaced them, said of what they did and saw. Thread-safe. */
final class RaceLedger {

    private final ReentrantLock lock = new ReentrantLock();
    private final List<Effect> effects = new ArrayList<>();
    private final List<Said> said = new ArrayList<>();

    /**
     * What an attempt of a step did.
     *
     * @param by the process that did it
     * @param slot what it is known by, such as {@code e1[2]#1}
     * @param key the idempotency key it was done under
     * @param once whether it may not be done again
     */
    record Effect(RaceProcess by, String name, String slot, String key, String callId, int attempt, boolean once) {

        /** Return what happens once, unless its process is stopped or killed. */
        String what() {
            return callId + " attempt " + attempt;
        }
    }

    /**
     * What a caller got.
     *
     * @param word which call it was
     * @param name the workflow
     */
    record Said(String word, String name, String text) {}

    /** Hear a line of a process. */
    void hear(RaceProcess by, String line) {
        String[] words = line.split(" ", 3);
        lock.lock();
        try {
            if (words[0].equals(RaceChild.EFFECT)) {
                String[] parts = words[2].split(" ", -1);
                effects.add(new Effect(
                        by,
                        words[1],
                        parts[0],
                        parts[1],
                        parts[2],
                        Integer.parseInt(parts[3]),
                        parts[4].equals(RaceChild.ONCE)));
            } else {
                said.add(new Said(words[0], words[1], words[2]));
            }
        } finally {
            lock.unlock();
        }
    }

    List<Effect> effects(String name) {
        lock.lock();
        try {
            return effects.stream().filter(effect -> effect.name().equals(name)).toList();
        } finally {
            lock.unlock();
        }
    }

    /** Return what callers got of a run. */
    List<String> said(String word, String name) {
        lock.lock();
        try {
            return said.stream()
                    .filter(each -> each.word().equals(word) && each.name().equals(name))
                    .map(Said::text)
                    .toList();
        } finally {
            lock.unlock();
        }
    }
}
