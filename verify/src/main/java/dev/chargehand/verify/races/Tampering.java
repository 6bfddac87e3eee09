package dev.chargehand.verify.races;

import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ApprovalException.Kind;
import dev.chargehand.internal.scope.ArgumentDigest;
import dev.chargehand.json.Json;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/** A way to answer with an approval that is not one: none may lead to anything being carried out. */
enum Tampering {
    /** Other arguments under the digest of those that were shown. */
    ARGUMENTS(Kind.ARGUMENTS_CHANGED) {
        @Override
        PendingApproval forge(PendingApproval mine, PendingApproval others) {
            return with(mine, Map.of("arguments", Map.of("task", "stolen", "slot", "a")));
        }
    },
    /** Other arguments, and their digest. */
    ARGUMENTS_AND_DIGEST(Kind.ARGUMENTS_CHANGED) {
        @Override
        PendingApproval forge(PendingApproval mine, PendingApproval others) {
            Json arguments = Json.of(Map.of("task", "stolen", "slot", "a"));
            return with(mine, Map.of("arguments", arguments, "digest", ArgumentDigest.of(arguments)));
        }
    },
    /** Another digest. */
    DIGEST(Kind.ARGUMENTS_CHANGED) {
        @Override
        PendingApproval forge(PendingApproval mine, PendingApproval others) {
            return with(mine, Map.of("digest", "0".repeat(64)));
        }
    },
    /** Another tool. */
    TOOL(Kind.ARGUMENTS_CHANGED) {
        @Override
        PendingApproval forge(PendingApproval mine, PendingApproval others) {
            return with(mine, Map.of("toolName", "ask"));
        }
    },
    /** Another agent. */
    PATH(Kind.ARGUMENTS_CHANGED) {
        @Override
        PendingApproval forge(PendingApproval mine, PendingApproval others) {
            return with(mine, Map.of("path", mine.path() + "/other"));
        }
    },
    /** A call that is missing. */
    CALL(Kind.UNKNOWN) {
        @Override
        PendingApproval forge(PendingApproval mine, PendingApproval others) {
            return with(mine, Map.of("callId", "call_none"));
        }
    },
    /** The call of another run. */
    CALL_OF_ANOTHER(Kind.UNKNOWN) {
        @Override
        PendingApproval forge(PendingApproval mine, PendingApproval others) {
            return with(mine, Map.of("callId", others.callId()));
        }
    },
    /** A run that is missing. */
    RUN(Kind.UNKNOWN) {
        @Override
        PendingApproval forge(PendingApproval mine, PendingApproval others) {
            return with(mine, Map.of("runId", "run_none"));
        }
    },
    /** Another run above the same call. */
    ROOT_OF_ANOTHER(Kind.UNKNOWN) {
        @Override
        PendingApproval forge(PendingApproval mine, PendingApproval others) {
            return with(mine, Map.of("rootRunId", others.rootRunId().value()));
        }
    },
    /** Another run with the same call. */
    RUN_OF_ANOTHER(Kind.UNKNOWN) {
        @Override
        PendingApproval forge(PendingApproval mine, PendingApproval others) {
            return with(
                    mine,
                    Map.of(
                            "rootRunId",
                            others.rootRunId().value(),
                            "runId",
                            others.runId().value()));
        }
    },
    /** A wait number that was never asked for. */
    LATER_ROUND(Kind.UNKNOWN) {
        @Override
        PendingApproval forge(PendingApproval mine, PendingApproval others) {
            return with(mine, Map.of("waitNumber", mine.waitNumber() + 1));
        }
    },
    /** A wait number before the first. */
    EARLIER_ROUND(Kind.ALREADY_DECIDED) {
        @Override
        PendingApproval forge(PendingApproval mine, PendingApproval others) {
            return with(mine, Map.of("waitNumber", mine.waitNumber() - 1));
        }
    },
    /** Said to be a question for data. */
    KIND(Kind.ARGUMENTS_CHANGED) {
        @Override
        PendingApproval forge(PendingApproval mine, PendingApproval others) {
            return with(mine, Map.of("kind", "data"));
        }
    },
    /** Data where approval is called for. */
    DATA(Kind.INVALID_ANSWER) {
        @Override
        ApprovalAnswer answer(Approver approver) {
            return ApprovalAnswer.data(approver, 7);
        }
    },
    /** An approver of another tenant. */
    TENANT(Kind.NOT_ALLOWED) {
        @Override
        Approver approver() {
            return Approver.of("ann", "other");
        }
    },
    /** An approver without a tenant. */
    NO_TENANT(Kind.NOT_ALLOWED) {
        @Override
        Approver approver() {
            return Approver.of("ann");
        }
    },
    /** Who asked for the run. */
    REQUESTER(Kind.NOT_ALLOWED) {
        @Override
        Approver approver() {
            return Approver.of(TamperedCases.REQUESTER, "acme");
        }
    },
    /** The requester of the run, who claims that another user requested it. */
    OTHER_REQUESTER(Kind.NOT_ALLOWED) {
        @Override
        PendingApproval forge(PendingApproval mine, PendingApproval others) {
            return with(mine, Map.of("requester", "bob"));
        }

        @Override
        Approver approver() {
            return Approver.of(TamperedCases.REQUESTER, "acme");
        }
    },
    /** After it has expired, though it says that it has not. */
    EXPIRED(Kind.EXPIRED, Before.EXPIRY) {
        @Override
        PendingApproval forge(PendingApproval mine, PendingApproval others) {
            return with(
                    mine,
                    Map.of(
                            "expiresAt",
                            mine.expiresAt().plus(Duration.ofDays(9)).toString()));
        }
    },
    /** After the run was cancelled. */
    CANCELLED(Kind.ALREADY_DECIDED, Before.CANCELLING),
    /** Again after it was declined. */
    REPLAYED_DECLINED(Kind.ALREADY_DECIDED, Before.DECLINING),
    /** Again after it was approved. */
    REPLAYED(Kind.ALREADY_DECIDED, Before.APPROVING),
    /** For a call whose arguments were changed in the store after they were shown. */
    STORE(Kind.ARGUMENTS_CHANGED, Before.CHANGING_THE_STORE),
    /** For the arguments that were put into the store in place of those that were shown. */
    STORE_AND_APPROVAL(Kind.ARGUMENTS_CHANGED, Before.CHANGING_THE_STORE) {
        @Override
        PendingApproval forge(PendingApproval mine, PendingApproval others) {
            return with(
                    mine,
                    Map.of(
                            "arguments",
                            Map.of("task", mine.arguments().at("/task").orElseThrow(), "slot", "z")));
        }
    };

    /** What happens before the answer. */
    enum Before {
        /** Nothing. */
        NOTHING,
        /** Time passes. */
        EXPIRY,
        /** The run is cancelled. */
        CANCELLING,
        /** It is declined. */
        DECLINING,
        /** It is approved. */
        APPROVING,
        /** The call's arguments are changed where they are stored. */
        CHANGING_THE_STORE
    }

    private static final List<Tampering> ALL = List.of(values());

    private static final Set<Kind> OF_ENDED = Set.of(Kind.ALREADY_DECIDED, Kind.UNKNOWN);

    private final Kind refusal;
    private final Before before;

    Tampering(Kind refusal) {
        this(refusal, Before.NOTHING);
    }

    Tampering(Kind refusal, Before before) {
        this.refusal = refusal;
        this.before = before;
    }

    Before before() {
        return before;
    }

    /**
     * Make the forged approval.
     *
     * @param mine one that waits
     * @param others one of another run that waits
     */
    PendingApproval forge(PendingApproval mine, PendingApproval others) {
        return mine;
    }

    Approver approver() {
        return Approver.of("ann", "acme");
    }

    ApprovalAnswer answer(Approver approver) {
        return ApprovalAnswer.approve(approver);
    }

    /** Return whether this is how the answer should be rejected. */
    boolean isRefusedAs(Kind kind) {
        return kind == refusal || (before == Before.CANCELLING && OF_ENDED.contains(kind));
    }

    private static PendingApproval with(PendingApproval approval, Map<String, Object> changes) {
        Map<String, Object> fields = new LinkedHashMap<>(approval.toJson().fields());
        fields.putAll(changes);
        return PendingApproval.fromJson(Json.of(fields));
    }

    static Tampering any(SplittableRandom random) {
        return ALL.get(random.nextInt(ALL.size()));
    }
}
