package dev.chargehand.verify.server;

import dev.chargehand.AgentRuntime;
import dev.chargehand.server.ChargehandServer;
import dev.chargehand.server.ServerLimit;
import dev.chargehand.verify.harness.OutsideLedger;
import dev.chargehand.verify.stores.StoreAddress;
import java.io.IOException;
import java.nio.file.Path;

/** A process that serves a store until its input ends. It says where it listens. */
public final class ServerChild {

    /** What no caller of a harness reaches. */
    private static final long PLENTY = 1_000_000;

    private ServerChild() {}

    /**
     * Run in the process.
     *
     * @param arguments the address of the store, and the file of the ledger
     */
    public static void main(String[] arguments) throws IOException {
        AgentRuntime runtime =
                new ServerCrew(new OutsideLedger(Path.of(arguments[1]))).runtime(new StoreAddress(arguments[0]).open());
        ChargehandServer server = ChargehandServer.builder(runtime)
                .port(0)
                .limit(ServerLimit.REQUESTS_PER_SECOND, PLENTY)
                .limit(ServerLimit.REQUEST_BURST, PLENTY)
                .limit(ServerLimit.STARTS_PER_SECOND, PLENTY)
                .limit(ServerLimit.START_BURST, PLENTY)
                .start();
        System.out.println(server.uri());
        while (System.in.read() >= 0) {
            // Its parent kills it.
        }
        Runtime.getRuntime().halt(0);
    }
}
