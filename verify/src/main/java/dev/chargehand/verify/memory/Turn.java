package dev.chargehand.verify.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What is said to the lead once, in one of the conversations: those of different resources and tenants are much alike, so
 * that a search without its owner would find the others.
 *
 * @param process which process says it, from 0
 * @param number which of its turns it is, from 0
 */
record Turn(int process, int number) {

    /** How many conversations a process holds at once. */
    static final int LANES = 4;

    /** So that the notes of all turns fit into the working memory of their resource. */
    private static final int TURNS_OF_A_RESOURCE = 150;
    /** So often a question has the word of its bait, to be more like it than like what its owner has said. */
    private static final int BAITS = 4;

    private static final Pattern WORD = Pattern.compile("\\bw([0-9]+)n([0-9]+)\\b");

    /** Both have the same resources and conversations. */
    static final List<String> TENANTS = List.of("local", "other");

    /** Return the turns of both processes. */
    static List<Turn> all(int ofEach) {
        List<Turn> turns = new ArrayList<>();
        for (int process = 0; process < Pair.PROCESSES; process++) {
            for (int number = 0; number < ofEach; number++) {
                turns.add(new Turn(process, number));
            }
        }
        return turns;
    }

    /** Return the word that is in no other turn. */
    String word() {
        return "w" + process + "n" + number;
    }

    /** Return in which of the conversations that one process holds at once it is said. */
    int lane() {
        return number % LANES;
    }

    /** Return the resource that says it: one of two resources of either tenant, and later one of two others. */
    Owner owner() {
        int resource = number / TENANTS.size() % 2 + 2 * (number / (4 * TURNS_OF_A_RESOURCE));
        return new Owner(TENANTS.get(number % TENANTS.size()), "r" + resource, Owner.LEAD);
    }

    /** Return the conversation: one of its process, or, at times, one that both processes hold. */
    String conversation() {
        String resource = owner().resource();
        return number % 5 == 4 ? resource + "-both" : resource + "-" + process;
    }

    /** Return whether the lead asks its sub-agent. */
    boolean isDelegated() {
        return number % 3 == 0;
    }

    String key() {
        return "turn-" + process + "-" + number;
    }

    /** Return an earlier turn of another owner, whose message would be the nearest if it could be found. */
    Turn bait() {
        int back = 1 + number / 2 % 2;
        return new Turn(process, number < back ? number + back : number - back);
    }

    String question() {
        String other = number < 2 ? "nothing" : bait().word();
        return owner().label() + " says " + word() + " and means " + (other + " ").repeat(BAITS)
                + "where apples and pears are in the garden.";
    }

    String answer() {
        return owner().label() + " heard " + word() + ": apples and pears are noted.";
    }

    String prompt() {
        return owner().clerk().label() + " asks " + word() + ": apples and pears are to be counted.";
    }

    String result() {
        return owner().clerk().label() + " counted " + word() + ": apples and pears are there.";
    }

    /** Return the line that the agent of an owner notes in its working memory. */
    String note(Owner noting) {
        return noting.label() + "/" + word();
    }

    /** Return the turn that a text is of. */
    static Turn of(String text) {
        Matcher found = WORD.matcher(text);
        if (!found.find()) {
            throw new IllegalArgumentException("This is of no turn: " + text);
        }
        return new Turn(Integer.parseInt(found.group(1)), Integer.parseInt(found.group(2)));
    }
}
