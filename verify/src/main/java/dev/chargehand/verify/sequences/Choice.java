package dev.chargehand.verify.sequences;

import dev.chargehand.json.Json;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.verify.sequences.crew.Plan;
import dev.chargehand.verify.sequences.crew.SequenceCrew;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The random choices of one operation. They depend on the seed and on the number of the operation only, so that they are the
 * same in each setting, and a shorter sequence has the same start.
 */
final class Choice {

    static final List<String> THREADS = List.of("t0", "t1", "t2", "t3");
    static final List<String> RESOURCES = List.of("ann", "bob", "team/a");

    private static final List<String> WORDS = List.of(
            "apple", "banana", "cherry", "date", "elder", "fig", "grape", "Oslo", "Rome", "train", "plane", "boat");
    private static final int DEEPEST = 2;

    private final Random random;
    private final String mark;

    Choice(long seed, int operation) {
        random = new Random(seed * 100_003L + operation * 7_919L);
        random.nextInt();
        random.nextInt();
        mark = mark(seed) + operation + "z";
    }

    /** Return what all words of a sequence start with, which no other text of a store has. */
    static String mark(long seed) {
        return "zq" + seed + "x";
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    boolean oneIn(int number) {
        return random.nextInt(number) == 0;
    }

    <T> T of(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    @SafeVarargs
    final <T> T of(T... list) {
        return list[random.nextInt(list.length)];
    }

    /** Return a few words that occur once in a sequence. */
    String words() {
        return mark + " "
                + IntStream.range(0, 2 + random.nextInt(3))
                        .mapToObj(i -> of(WORDS))
                        .collect(Collectors.joining(" "));
    }

    /** Return who owns one of the usual threads. */
    static ThreadOwner owner(String thread) {
        int number = thread.charAt(thread.length() - 1) - '0';
        return ThreadOwner.of(RESOURCES.get(number % RESOURCES.size()));
    }

    /** Return words for an agent, with a plan of calls that it can make. */
    String prompt(String agent) {
        return plan(agent, 0).behind(words());
    }

    private Plan plan(String agent, int depth) {
        List<List<Plan.Call>> steps = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            List<Plan.Call> calls = new ArrayList<>();
            for (int j = random.nextInt(2); j >= 0; j--) {
                calls.add(call(agent, depth));
            }
            steps.add(calls);
        }
        return new Plan(steps);
    }

    private Plan.Call call(String agent, int depth) {
        List<String> tools = new ArrayList<>(List.of("look", "pay", "missing"));
        tools.addAll(SequenceCrew.callable(agent));
        if (oneIn(12)) {
            tools.add(Plan.FAILURE);
        }
        String tool = of(tools);
        return new Plan.Call(tool, Json.of(arguments(agent, tool, depth)));
    }

    private Object arguments(String agent, String tool, int depth) {
        int number = random.nextInt(10);
        if (tool.startsWith("agent-")) {
            String callee = tool.substring("agent-".length());
            Plan plan = depth == DEEPEST ? new Plan(List.of()) : plan(callee, depth + 1);
            Map<String, Object> arguments = new TreeMap<>(Map.of("prompt", plan.behind(words())));
            if (SequenceCrew.hasTasks(agent) && !oneIn(3)) {
                arguments.put("background", true);
            }
            return arguments;
        }
        return switch (tool) {
            case "ask" -> Map.of("question", words() + "?");
            case "big" -> Map.of("size", of(1, 100, 40_000));
            case "workflow-count" ->
                agent.equals("boss")
                        ? new TreeMap<>(Map.of("input", number, "background", random.nextBoolean()))
                        : Map.of("input", number);
            case "updateWorkingMemory" -> agent.equals("profiler") ? profile() : edit();
            default -> Map.of("n", oneIn(12) ? "x" : number);
        };
    }

    private Object profile() {
        return of(List.of(Map.of("name", words()), Map.of("likes", List.of(words())), Map.of("city", 5)));
    }

    private Object edit() {
        Map<String, String> edit = of(List.of(
                new TreeMap<>(Map.of("find", "", "write", "- Note: " + words())),
                new TreeMap<>(Map.of("find", "- Name:", "write", "- Name: " + words())),
                new TreeMap<>(Map.of("find", "- Plac:", "write", "x"))));
        return Map.of("edits", List.of(edit));
    }
}
