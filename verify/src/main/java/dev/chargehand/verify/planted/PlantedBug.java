package dev.chargehand.verify.planted;

import java.util.List;

/** A possible mistake in the sources, and the tests that must see it. */
enum PlantedBug {
    /** Tools start before it is stored that they do. */
    DROP_THE_INTENT(
            Tests.of(Tests.BEHAVIOUR, "dev.chargehand.tests.TransactionsTest"),
            new Edit(
                    Sources.CORE + "internal/agent/act/StepExecutor.java",
                    "openDecided();\n        record.run();\n        List<CallState> pieces",
                    "openDecided();\n        List<CallState> pieces")),
    /** Every writer of a run writes, regardless of earlier writes of others. */
    SKIP_THE_COMPARE_AND_SET(
            Tests.of("chargehand-jdbc-tests", "dev.chargehand.jdbc.SqliteStoreTest#aWriterWithAnotherEpochIsRefused"),
            new Edit(
                    Sources.JDBC + "internal/sql/RunTable.java",
                    "ROOT_CHANGES, \" AND epoch = :epoch\"",
                    "ROOT_CHANGES, \" AND :epoch > 0\"")),
    /** What could not be stored counts as stored. */
    SWALLOW_A_STORE_ERROR(
            Tests.of(Tests.BEHAVIOUR, "dev.chargehand.tests.StoreFailureTest"),
            new Edit(
                    Sources.CORE + "internal/journal/Journal.java",
                    "journals.forEach(Journal::forget);\n            throw e;",
                    "appended = new Appended(0, 0, 0);")),
    /** A model that falls silent in the middle is waited for. */
    FORGET_THE_IDLE_TIMER(
            Tests.of(
                    Tests.BEHAVIOUR,
                    "dev.chargehand.tests.TimeLimitsTest#aStreamThatFallsSilentIsGivenUpAfterTheIdleLimitNotLater"),
            new Edit(Sources.CORE + "internal/agent/model/ModelAttempt.java", "deadline.restart(idleNanos);", "")),
    /** A sub-agent sees everything when the filter of what it may see breaks. */
    WIDEN_THE_FILTER(
            Tests.of(Tests.BEHAVIOUR, "dev.chargehand.tests.HookPolicyTest"),
            new Edit(
                    Sources.CORE + "internal/agent/delegation/CallGuards.java",
                    "Hook.MESSAGE_FILTER, Optional.empty(), Optional.empty(),",
                    "Hook.MESSAGE_FILTER, Optional.empty(),"
                            + " Optional.of(ForwardedMessages.of(state, run.options().get(Options.SUB_AGENT_FILTER))),")),
    /** Callbacks of a cancellation remain registered after their work is over. */
    LEAK_A_LISTENER(
            Tests.of(Tests.BEHAVIOUR, "dev.chargehand.tests.LeaksTest#aLongRunForgetsItsCallsWhenTheyAreOver"),
            new Edit(Sources.CORE + "internal/agent/model/ModelAttempt.java", "registration.close();", "")),
    /** Each agent has the budget of the whole run to itself. */
    COUNT_A_BUDGET_PER_AGENT(
            Tests.of(Tests.BEHAVIOUR, "dev.chargehand.tests.BudgetTest"),
            new Edit(
                    Sources.CORE + "internal/agent/model/ModelCaller.java",
                    "run.root().ledger().debit(",
                    "if (run.events().path().isRoot()) run.root().ledger().debit(")),
    /** Call of an answer that was cut are executed, even if arguments are missing. */
    RUN_TOOLS_OF_A_CUT_ANSWER(
            Tests.of(Tests.BEHAVIOUR, "dev.chargehand.tests.ToolsTest#noToolOfAnAnswerThatIsNotCompleteIsExecuted"),
            new Edit(
                    Sources.CORE + "internal/state/StepState.java",
                    "answered.finish().isComplete() && !last",
                    "!last")),
    /** A provider can send a request, with its key, to somewhere else. */
    FOLLOW_REDIRECTS(
            Tests.of("chargehand-models", "dev.chargehand.models.FaultTest"),
            new Edit(Sources.PROVIDER_KIT + "connection/Connections.java", ".setRedirectsEnabled(false)", ""),
            new Edit(Sources.PROVIDER_KIT + "connection/Connections.java", ".disableRedirectHandling()", ""),
            new Edit(
                    Sources.PROVIDER_KIT + "connection/RequestBody.java",
                    "@Override\n    public boolean isStreaming()",
                    "@Override\n    public boolean isRepeatable() { return true; }\n    @Override public boolean isStreaming()")),
    /** The key of a provider is in the log. */
    LOG_THE_KEY(
            Tests.of("chargehand-models", "dev.chargehand.models.LogTest"),
            new Edit(
                    Sources.MODELS + "internal/ChatClient.java",
                    "HttpPost post = endpoint.post(\"text/event-stream, application/json\", key);",
                    "HttpPost post = endpoint.post(\"text/event-stream, application/json\", key);"
                            + " org.slf4j.LoggerFactory.getLogger(ChatClient.class).debug(\"Asking with {}.\", key);")),
    /** A call without arguments keeps a text that is not JSON. */
    KEEP_EMPTY_ARGUMENTS(
            Tests.of(Tests.BEHAVIOUR, "dev.chargehand.tests.NoArgumentsTest"),
            new Edit(
                    Sources.CORE + "model/ModelResponse.java",
                    "isNone(arguments) ? NONE : WellFormed.text(arguments)",
                    "WellFormed.text(arguments)")),
    /** Closing a runtime ends its runs for good instead of leaving them to another process. */
    CANCEL_WHEN_CLOSING(
            Tests.of(
                    Tests.BEHAVIOUR,
                    "dev.chargehand.tests.CloseMomentsTest#aRunThatWaitsToAskItsModelAgainDoesNotWaitAnyMore"),
            new Edit(
                    Sources.CORE + "internal/engine/Engine.java",
                    "environment.store() instanceof InMemoryStore ? Engine::cancel : LocalRun::release",
                    "Engine::cancel")),
    /** A process whose run was taken over returns a result of its own. */
    INVENT_THE_RESULT_OF_A_LOST_RUN(
            Tests.of(Tests.BEHAVIOUR, "dev.chargehand.tests.TakenOverTest#itsCallerGetsTheResultThatIsStored"),
            new Edit(Sources.CORE + "internal/engine/tree/RunExecution.java", "suspensions.isMine(journal)", "true"),
            new Edit(Sources.CORE + "internal/engine/tree/RunExecution.java", "suspensions.isTaken(journal)", "false")),
    /** The intent of a call is stored while the call still waits for its turn. */
    STORE_INTENTS_TOO_EARLY(
            Tests.of(Tests.BEHAVIOUR, "dev.chargehand.tests.IntentsTest"),
            new Edit(
                    Sources.CORE + "internal/agent/act/StepExecutor.java",
                    "rules.concurrency() - s.countOfRunnable()",
                    "Integer.MAX_VALUE")),
    /** A run ends for good when its store fails for a moment. */
    END_A_RUN_IN_AN_OUTAGE(
            Tests.of(Tests.BEHAVIOUR, "dev.chargehand.tests.StoreOutageTest#theSameRuntimeResumesItAtOnceAndEndsIt"),
            new Edit(
                    Sources.CORE + "internal/scope/Outage.java",
                    "failure instanceof StoreException store && store.retryable()",
                    "false")),
    /** Secret are replaced in the text of JSON, and not in its values. */
    REDACT_THE_TEXT_OF_JSON(
            Tests.of(Tests.BEHAVIOUR, "dev.chargehand.tests.RedactedJsonTest"),
            new Edit(
                    Sources.CORE + "internal/log/Redactor.java",
                    "json.withTexts(this::redact)",
                    "Json.parse(redact(json.text()))")),
    /** The error of a tool reaches the model whole, however long it is. */
    LEAVE_AN_ERROR_UNBOUNDED(
            Tests.of(Tests.BEHAVIOUR, "dev.chargehand.tests.BoundedTextTest#aFailureOfATool"),
            new Edit(
                    Sources.CORE + "internal/agent/act/ToolResults.java",
                    "Excerpt.of(whole, run.limit(Limit.TOOL_RESULT_BYTES))",
                    "null"),
            new Edit(
                    Sources.CORE + "internal/agent/ModelView.java",
                    "Excerpt.of(text, mostBytes + NOTES) == null ? text : Excerpt.within(text, mostBytes)",
                    "text")),
    /** An owner whose process cannot be seen counts as dead. */
    BURY_A_HIDDEN_PROCESS(
            Tests.of("chargehand-core", "dev.chargehand.internal.engine.lease.OwnerTest"),
            new Edit(Sources.CORE + "internal/engine/lease/ProcessTable.java", "return showsAll();", "return true;")),
    /** A runtime that does not say who may approve accepts an answer from every approver. */
    LET_EVERYBODY_APPROVE(
            Tests.of(Tests.BEHAVIOUR, "dev.chargehand.tests.WhoMayApproveTest"),
            new Edit(
                    Sources.CORE + "internal/engine/resume/ApprovalValidator.java",
                    "check == null && from != null ?",
                    "check == null ?")),
    /** The words of a provider reach a model. */
    TELL_A_MODEL_WHAT_A_PROVIDER_SAID(
            Tests.of(Tests.BEHAVIOUR, "dev.chargehand.tests.faults.ProviderWordsTest#noModelReceivesThem"),
            new Edit(Sources.CORE + "error/ModelException.java", "return publicMessage;", "return getMessage();")),
    /** The text of a sub-agent reaches the model of its supervisor without fences. */
    LEAVE_A_SUB_AGENT_UNFENCED(
            Tests.of(Tests.BEHAVIOUR, "dev.chargehand.tests.FencedResultsTest"),
            new Edit(
                    Sources.CORE + "internal/agent/ModelView.java",
                    "isTyped(result.toolName()) ? part : withOutput(result, around(result, 0))",
                    "part")),
    /** An intent is acknowledged before it would survive a power cut. */
    SKIP_THE_SYNC(
            Tests.of("chargehand-jdbc-tests", "dev.chargehand.jdbc.GroupCommitTest"),
            new Edit(Sources.JDBC + "GroupCommit.java", "group.stream().anyMatch(Call::isDurable)", "false")),
    /** A search finds the messages of every owner. */
    SEARCH_ALL_OWNERS(
            Tests.of(
                    "chargehand-jdbc-tests",
                    "dev.chargehand.jdbc.SqliteStoreTest#aSearchFindsTheMessagesOfItsOwnerOnly"),
            new Edit(
                    Sources.JDBC + "internal/sql/memory/PassageRows.java",
                    "scope = :scope AND space = :space",
                    ":scope > 0 AND space = :space")),
    /** A change of the state that the steps of a workflow share is lost when the run is read again. */
    LOSE_A_CHANGE_OF_SHARED_STATE(
            Tests.of(Tests.BEHAVIOUR, "dev.chargehand.tests.WorkflowStateTest"),
            new Edit(
                    Sources.CORE + "internal/state/value/Sharing.java",
                    "Json after = patch == null ? state : MergePatch.applied(state, patch);",
                    "Json after = state;")),
    /** An attempt after the first counts as one that may be repeated. */
    REPEAT_AN_ATTEMPT(
            Tests.of(Tests.BEHAVIOUR, "dev.chargehand.tests.WorkflowStateTest"),
            new Edit(
                    Sources.CORE + "internal/workflow/StepOpener.java",
                    "step.get().isRepeatable() ? CallKind.REPEATABLE",
                    "step.get().isRepeatable() || call.retried() != null ? CallKind.REPEATABLE")),
    /** The steps that a condition left out are executed too. */
    EXECUTE_EVERY_BRANCH(
            Tests.of(Tests.BEHAVIOUR, "dev.chargehand.tests.WorkflowRunTest"),
            new Edit(
                    Sources.CORE + "internal/workflow/RoundPlans.java",
                    "return List.of(each.step());",
                    "return new ArrayList<>(branch.steps());"));

    /** Where the main sources of the modules are. */
    private static final class Sources {
        static final String CORE = "chargehand-core/src/main/java/dev/chargehand/";
        static final String JDBC = "chargehand-jdbc/src/main/java/dev/chargehand/jdbc/";
        static final String PROVIDER_KIT = "chargehand-provider-kit/src/main/java/dev/chargehand/provider/";
        static final String MODELS = "chargehand-models/src/main/java/dev/chargehand/models/";
    }

    /**
     * Tests that see a bug.
     *
     * @param module the folder of their module
     * @param name that of their class, or of one of its methods after a {@code #}
     */
    record Tests(String module, String name) {

        static final String BEHAVIOUR = "chargehand-tests";

        static Tests of(String module, String name) {
            return new Tests(module, name);
        }

        /** Return the name of the class. */
        String className() {
            return name.replaceFirst("#.*", "");
        }

        @Override
        public String toString() {
            return module + " " + name;
        }
    }

    /**
     * A change of a file.
     *
     * @param file its path in the checkout
     * @param from what exists, once
     * @param to what exists afterwards
     */
    record Edit(String file, String from, String to) {

        /**
         * Change the text of the file.
         *
         * @throws IllegalStateException if what is to be changed is missing, or more than once
         */
        String in(String source) {
            int at = source.indexOf(from);
            if (at < 0 || source.indexOf(from, at + 1) >= 0) {
                throw new IllegalStateException("A bug cannot be planted: " + file + " has not, or not once, the text '"
                        + from + "'. The file was changed; change the bug in PlantedBug with it.");
            }
            return source.substring(0, at) + to + source.substring(at + from.length());
        }
    }

    @SuppressWarnings("ImmutableEnumChecker") // a record of texts
    private final Tests tests;

    @SuppressWarnings("ImmutableEnumChecker") // a list of records that cannot change
    private final List<Edit> edits;

    PlantedBug(Tests tests, Edit... edits) {
        this.tests = tests;
        this.edits = List.of(edits);
    }

    Tests tests() {
        return tests;
    }

    List<Edit> edits() {
        return edits;
    }

    /** Return all, in order. */
    static List<PlantedBug> all() {
        return List.of(values());
    }
}
