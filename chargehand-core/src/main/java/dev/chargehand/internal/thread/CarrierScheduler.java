package dev.chargehand.internal.thread;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.PlatformManagedObject;
import java.lang.reflect.Method;

/** The scheduler of virtual threads, as the JDK lets it be seen and changed since version 24. Thread-safe. */
final class CarrierScheduler {

    private static final String BEAN = "jdk.management.VirtualThreadSchedulerMXBean";

    private final Object bean;
    private final Method getParallelism;
    private final Method setParallelism;
    private final Method mounted;
    private final Method queued;

    private CarrierScheduler(Class<? extends PlatformManagedObject> type) throws ReflectiveOperationException {
        this.bean = ManagementFactory.getPlatformMXBean(type);
        this.getParallelism = type.getMethod("getParallelism");
        this.setParallelism = type.getMethod("setParallelism", int.class);
        this.mounted = type.getMethod("getMountedVirtualThreadCount");
        this.queued = type.getMethod("getQueuedVirtualThreadCount");
    }

    /** Return whether this JDK can be given more carriers. */
    static boolean canGrow() {
        try {
            Class.forName(BEAN, false, ClassLoader.getPlatformClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }

    /** Open the scheduler, which loads the management classes of the JDK and take some 20 ms the first time. */
    static CarrierScheduler open() {
        try {
            return new CarrierScheduler(Class.forName(BEAN, true, ClassLoader.getPlatformClassLoader())
                    .asSubclass(PlatformManagedObject.class));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("The scheduler of virtual threads cannot be reached.", e);
        }
    }

    /** Return how many carriers may run at once. */
    int parallelism() {
        return (int) number(getParallelism);
    }

    /** Set how many carriers may run at once. */
    void parallelism(int carriers) {
        try {
            setParallelism.invoke(bean, carriers);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("The scheduler of virtual threads cannot be changed.", e);
        }
    }

    /** Return about how many virtual threads have a carrier. */
    int mounted() {
        return (int) number(mounted);
    }

    /** Return about how many virtual threads wait for a carrier. */
    long queued() {
        return number(queued);
    }

    /** Return how long this process has computed; negative if that is not known. */
    long computedNanos() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                ? system.getProcessCpuTime()
                : -1;
    }

    private long number(Method of) {
        try {
            return ((Number) of.invoke(bean)).longValue();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("The scheduler of virtual threads cannot be read.", e);
        }
    }
}
