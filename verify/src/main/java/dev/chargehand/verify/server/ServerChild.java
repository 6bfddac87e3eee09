package dev.chargehand.verify.server;

import dev.chargehand.AgentRuntime;
import dev.chargehand.server.ChargehandServer;
import dev.chargehand.verify.harness.OutsideLedger;
import dev.chargehand.verify.harness.Unlimited;
import dev.chargehand.verify.stores.StoreAddress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** A process that serves a store until its input ends, or until SIGTERM, as a service does. It says where it listens. */
public final class ServerChild {

    /** The exit code of a process that SIGTERM ended. */
    private static final int TERMINATED = 143;

    private ServerChild() {}

    /**
     * Run in the process.
     *
     * @param arguments the address of the store, the file of the ledger, and the name of a {@link ServerWork}
     */
    public static void main(String[] arguments) throws IOException {
        CountDownLatch terminated = new CountDownLatch(1);
        AgentRuntime runtime = ServerWork.valueOf(arguments[2])
                .runtime(new StoreAddress(arguments[0]).open(), new OutsideLedger(Path.of(arguments[1])), terminated);
        ChargehandServer server =
                Unlimited.requests(ChargehandServer.builder(runtime).port(0)).start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            terminated.countDown();
            server.close();
            runtime.close();
            Runtime.getRuntime().halt(TERMINATED);
        }));
        System.out.println(server.uri());
        while (System.in.read() >= 0) {
            // Its parent kills or terminates it.
        }
        Runtime.getRuntime().halt(0);
    }
}
