package org.elasticsearch.plugins;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.Map;
import org.elasticsearch.Build;
import org.elasticsearch.env.Environment;
import org.elasticsearch.transport.netty4.Netty4Plugin;

/** The plugins of a node without a plugins folder: HTTP only. It is in this package for what that keeps to itself. */
public final class NettyOnly extends PluginsService {
    private final LoadedPlugin netty;

    public NettyOnly(Environment environment) throws Exception {
        super(
            environment.settings(),
            environment.configDir(),
            PluginsLoader.createPluginsLoader(Set.of(), Set.of(), Map.of(), false));
        String version = Build.current().version();
        String type = Netty4Plugin.class.getName();
        String descriptor = String.join(
            "\n", "name=netty", "description=http", "version=" + version, "elasticsearch.version=" + version,
            "java.version=17", "classname=" + type, "");
        netty = new LoadedPlugin(
            PluginDescriptor.readInternalDescriptorFromStream(
                new ByteArrayInputStream(descriptor.getBytes(StandardCharsets.UTF_8))),
            new Netty4Plugin(),
            NettyOnly.class.getClassLoader());
    }

    @Override
    protected List<LoadedPlugin> plugins() {
        return List.of(netty);
    }
}
